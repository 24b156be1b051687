import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'

/** `messagesRead`: closed only as long as there are no more. */
export function CloseForm({ messagesRead }: { messagesRead?: number }) {
  const busy = useNavigation().formData?.get('intent') === 'close'
  return (
    <Form method="post" replace preventScrollReset>
      <input type="hidden" name="intent" value="close" />
      <input type="hidden" name="messagesRead" value={messagesRead} />
      <Button type="submit" variant="secondary" size="sm" busy={busy}>
        Close request
      </Button>
    </Form>
  )
}
