import { useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { messageForm } from './message-form.tsx'

/** Sends the form of the page, so that what is typed there comes back with a refusal, also without scripts. */
export function CloseButton() {
  const busy = useNavigation().formData?.get('intent') === 'close'
  return (
    <Button
      type="submit"
      form={messageForm}
      name="intent"
      value="close"
      variant="secondary"
      size="sm"
      busy={busy}
    >
      Close request
    </Button>
  )
}
