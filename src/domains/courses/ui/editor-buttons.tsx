import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { ConfirmLater, preloadConfirm } from '../../../ui/confirm-later.tsx'

type MoveButtonsProps = {
  /** What moves, for the names of the buttons. */
  name: string
  /** 0-based among its neighbours. */
  index: number
  count: number
  onMove: (by: -1 | 1) => void
}

/** Up and down among the neighbours; the pressed button keeps the focus where it went. */
export function MoveButtons({ name, index, count, onMove }: MoveButtonsProps) {
  function move(event: MouseEvent<HTMLButtonElement>, by: -1 | 1) {
    const button = event.currentTarget
    if (button.ariaDisabled === 'true') return
    // Moving an element in the document takes its focus away.
    flushSync(() => onMove(by))
    button.focus()
  }

  if (count < 2) return null
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Move “${name}” up`}
        aria-disabled={index === 0 || undefined}
        className="text-muted hover:text-ink aria-disabled:opacity-40"
        onClick={(event) => move(event, -1)}
      >
        <ArrowUp size={18} aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Move “${name}” down`}
        aria-disabled={index === count - 1 || undefined}
        className="text-muted hover:text-ink aria-disabled:opacity-40"
        onClick={(event) => move(event, 1)}
      >
        <ArrowDown size={18} aria-hidden />
      </Button>
    </>
  )
}

type RemoveButtonProps = {
  name: string
  /** Asked before removing; nothing is asked when left out. */
  question?: { title: string; description: string; confirmLabel: string }
  /** Id of the element that has the focus afterwards. */
  focusAfter: string
  onRemove: () => void
}

export function RemoveButton({ name, question, focusAfter, onRemove }: RemoveButtonProps) {
  const [asking, setAsking] = useState(false)

  function remove() {
    flushSync(onRemove)
    document.getElementById(focusAfter)?.focus()
  }

  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Remove “${name}”`}
        className="text-muted hover:bg-danger-soft hover:text-danger"
        onPointerEnter={preloadConfirm}
        onFocus={preloadConfirm}
        onClick={() => (question ? setAsking(true) : remove())}
      >
        <Trash2 size={18} aria-hidden />
      </Button>
      {question && (
        <ConfirmLater {...question} open={asking} onOpenChange={setAsking} onConfirm={remove} />
      )}
    </>
  )
}
