import type { ComponentProps } from 'react'
import { Button } from './button.tsx'

type DialogButtonProps = Omit<ComponentProps<typeof Button>, 'type' | 'onClick'> & {
  /** The same as a page of its own: where the press leads when no script is there to open the dialog. */
  page: string
  onOpen: () => void
}

/** Opens a dialog, and works before the page is hydrated. */
export function DialogButton({ page, onOpen, className, ...rest }: DialogButtonProps) {
  return (
    <form
      action={page}
      onSubmit={(event) => {
        event.preventDefault()
        onOpen()
      }}
      className={className}
    >
      <Button {...rest} type="submit" aria-haspopup="dialog" />
    </form>
  )
}
