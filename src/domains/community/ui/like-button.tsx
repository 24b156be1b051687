import { Heart } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'

type LikeButtonProps = {
  /** What is liked: 'Like this post'. The button stays so named when it is pressed. */
  label: string
  liked: boolean
  count: number
  onToggle: () => void
  disabled?: boolean
}

/** A heart with the number of those who like it; pressed while one of them is the viewer. */
export function LikeButton({ label, liked, count, onToggle, disabled }: LikeButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={`${label}, ${count === 1 ? '1 like' : `${count.toLocaleString('en')} likes`}`}
      disabled={disabled}
      onClick={onToggle}
      className={cn(feedButton, liked && 'text-danger hover:text-danger')}
    >
      <Heart
        size={18}
        aria-hidden
        className={cn('transition-transform duration-150', liked && 'scale-110 fill-current')}
      />
      <span aria-hidden="true">{count.toLocaleString('en')}</span>
    </button>
  )
}

/** The look of what can be done below a post or a comment. */
export const feedButton =
  'inline-flex min-h-10 items-center gap-2 rounded-control px-3 text-sm font-semibold text-muted ' +
  'tabular-nums transition-colors hover:bg-wash hover:text-ink disabled:hover:bg-transparent ' +
  'disabled:hover:text-muted'
