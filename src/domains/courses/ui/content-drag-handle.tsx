import { GripVertical } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import type { Moved } from './content-places.ts'
import { handleId, type Reorder } from './content-reorder.ts'

/** Says how the handles work; once on the page. */
export const dragHintId = 'drag-hint'

type DragHandleProps = { moved: Moved; name: string; reorder: Reorder; className?: string }

/** Drags a chapter or lesson, or moves it with keys: Space lifts, arrows move, Space drops, Escape cancels. */
export function DragHandle({ moved, name, reorder, className }: DragHandleProps) {
  return (
    <button
      id={handleId(moved.key)}
      type="button"
      aria-label={`Reorder “${name}”`}
      aria-describedby={dragHintId}
      title="Drag to move, or press Space and use the arrow keys"
      onPointerDown={(event) => reorder.pressed(event.currentTarget, event.nativeEvent)}
      onPointerMove={(event) => reorder.dragged(moved, name, event.nativeEvent)}
      onPointerUp={reorder.released}
      onPointerCancel={reorder.left}
      onClick={(event) => event.detail === 0 && reorder.activated(moved, name)}
      onKeyDown={(event) => reorder.keyPressed(event.key) && event.preventDefault()}
      onBlur={reorder.left}
      className={cn(
        'grid h-9 w-7 shrink-0 cursor-grab touch-none place-items-center rounded-lg text-muted',
        'hover:bg-wash hover:text-ink active:cursor-grabbing',
        className,
      )}
    >
      <GripVertical size={18} aria-hidden />
    </button>
  )
}
