import { ButtonLink } from '../../../../ui/button.tsx'
import { Card, CardHeader } from '../../../../ui/card.tsx'

/** Leads to the page that says what would happen before it happens. */
export function DeleteAccountCard() {
  return (
    <Card>
      <CardHeader
        title="Delete my account"
        description="You can leave any time. The next page says what goes and what stays; nothing happens before you confirm it there."
      />
      <ButtonLink to="/settings/delete-account" variant="secondary">
        Delete my account…
      </ButtonLink>
    </Card>
  )
}
