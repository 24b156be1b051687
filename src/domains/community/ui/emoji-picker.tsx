import { Smile } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { useLater } from '../../../ui/use-later.ts'
import { rememberEmoji } from './recent-emojis.ts'

const loadGrid = () => import('./emoji-grid.tsx')

type EmojiPickerProps = {
  onPick: (emoji: string) => void
  disabled?: boolean
  className?: string
}

/** A button that opens a panel of emojis; the one that is picked is remembered on this device. */
export function EmojiPicker({ onPick, disabled = false, className }: EmojiPickerProps) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  function pick(emoji: string) {
    // The panel can be open still.
    if (disabled) return
    rememberEmoji(emoji)
    // First, so that the focus that the panel hands back does not come after that of `onPick`.
    panel.current?.hidePopover()
    onPick(emoji)
  }

  return (
    <div className={cn('menu-scope inline-flex', className)}>
      <button
        type="button"
        popoverTarget={id}
        disabled={disabled}
        aria-label="Emoji"
        title="Emoji"
        className={cn(
          buttonClass({ variant: 'ghost', size: 'icon-sm' }),
          'menu-trigger text-muted hover:text-ink',
        )}
      >
        <Smile size={20} aria-hidden />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        className={cn(
          'menu-panel menu-start max-h-[min(26rem,80dvh)] w-[21rem] max-w-[calc(100vw-1.5rem)]',
          'overflow-y-auto overscroll-contain rounded-card border bg-raised p-2 text-ink shadow-raised',
        )}
      >
        {isOpen && <LaterGrid onPick={pick} />}
      </div>
    </div>
  )
}

function LaterGrid({ onPick }: { onPick: (emoji: string) => void }) {
  const { value, failed, retry } = useLater(loadGrid)
  if (value) return <value.EmojiGrid onPick={onPick} />
  if (!failed) return <Loading />
  return (
    <div role="alert" className="grid min-h-40 place-content-center justify-items-center gap-3 p-2">
      <p className="text-center text-pretty">{cannotLoad}</p>
      <Button variant="secondary" size="sm" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}

const Loading = () => (
  <p className="grid min-h-40 place-items-center text-muted">
    <Spinner />
    <span className="sr-only">Loading...</span>
  </p>
)
