import { X } from 'lucide-react'
import { use, useId, useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { cn } from './cn.ts'
import { DialogNotice } from './dialog-notice.ts'

const widths = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl' }

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** The row of buttons; put the one that goes on last. */
  footer?: ReactNode
  size?: keyof typeof widths
  /** While true neither Escape nor a press outside closes it. */
  locked?: boolean
  role?: 'dialog' | 'alertdialog'
  children?: ReactNode
}

/**
 * A modal on the browser's own `<dialog>`: it makes the rest of the page inert, traps the focus
 * and hands it back. Its content is mounted only while it is open, so forms start fresh.
 */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null
}

function OpenDialog({
  onOpenChange,
  title,
  description,
  footer,
  size = 'sm',
  locked = false,
  role,
  children,
}: Omit<DialogProps, 'open'>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const notice = use(DialogNotice)
  const id = useId()

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  function dismiss() {
    if (!locked) onOpenChange(false)
  }

  // A second Escape closes without asking. The element comes back, and goes if the state follows: who has to be asked
  // first finds the question on top of it.
  function closed() {
    const element = dialog.current
    if (!element || element.open) return
    element.showModal()
    dismiss()
  }

  // A press on the dialog's own scrollbar has the dialog for its target too.
  function dismissFromOutside({ target, clientX, clientY }: PointerEvent) {
    if (target !== dialog.current) return
    const { left, right, top, bottom } = dialog.current.getBoundingClientRect()
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) dismiss()
  }

  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onPointerDown={dismissFromOutside}
      onCancel={(event) => {
        // The choice of a file that was called off, and a dialog within this one, tell of it too.
        if (event.target !== dialog.current) return
        event.preventDefault()
        // What cannot be prevented ends in `closed`.
        if (event.cancelable) dismiss()
      }}
      onClose={closed}
      className={cn(
        'm-auto w-[calc(100%-2rem)] animate-appear rounded-card border bg-raised text-ink',
        'max-h-[calc(100dvh-2rem)] overflow-y-auto overscroll-contain shadow-raised',
        // As a scroll container the backdrop keeps the wheel away from the page.
        'backdrop:overflow-hidden backdrop:overscroll-contain backdrop:bg-backdrop',
        widths[size],
      )}
    >
      <div className="grid gap-5 p-5 sm:p-6">
        <div className="grid gap-2">
          <h2 id={`${id}-title`} className="pr-10 text-xl">
            {title}
          </h2>
          {description && (
            <p id={`${id}-description`} className="text-muted">
              {description}
            </p>
          )}
        </div>
        {notice}
        {children}
        {footer && (
          <div className="flex flex-col-reverse gap-3 pt-1 sm:flex-row sm:justify-end">
            {footer}
          </div>
        )}
      </div>
      {/* Last in the order, so that the first field or button gets the focus on opening. */}
      <button
        type="button"
        aria-label="Close"
        disabled={locked}
        onClick={dismiss}
        className={cn(
          buttonClass({ variant: 'ghost', size: 'icon-sm' }),
          'absolute top-4 right-4 text-muted hover:text-ink',
        )}
      >
        <X size={18} aria-hidden />
      </button>
    </dialog>
  )
}
