import type { ComponentProps } from 'react'
import { Button } from './button.tsx'

type DialogButtonProps = Omit<ComponentProps<typeof Button>, 'type' | 'onClick'> & {
  /** The same as a page of its own: where the press leads when no script is there to open the dialog. */
  page: string
  onOpen: () => void
}

/** Opens a dialog, and works before the page is hydrated. */
export function DialogButton({ page, onOpen, className, ...rest }: DialogButtonProps) {
  const [, query] = page.split('?')
  return (
    <form
      action={page}
      onSubmit={(event) => {
        event.preventDefault()
        onOpen()
      }}
      className={className}
    >
      {/* A form that asks for a page leaves out what the address has behind its `?`. */}
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button {...rest} type="submit" aria-haspopup="dialog" />
    </form>
  )
}
