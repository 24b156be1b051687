import { Form } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { useBusy } from './suspend-form.tsx'

type MarkButtonProps = { intent: string; label: string; value?: string }

/** A form of one button. */
export function MarkButton({ intent, label, value = '' }: MarkButtonProps) {
  const busy = useBusy(intent)
  return (
    <Form method="post" replace preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="value" value={value} />
      <Button type="submit" variant="secondary" size="sm" busy={busy}>
        {label}
      </Button>
    </Form>
  )
}
