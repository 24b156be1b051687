import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'

export function CloseForm() {
  const busy = useNavigation().formData?.get('intent') === 'close'
  return (
    <Form method="post" replace preventScrollReset>
      <input type="hidden" name="intent" value="close" />
      <Button type="submit" variant="secondary" size="sm" busy={busy}>
        Close request
      </Button>
    </Form>
  )
}
