import { useFetcher } from 'react-router'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import type { action } from './confirm-email.tsx'

type ResendConfirmationProps = {
  email: string
  /** The page that the person wanted. */
  to: string
}

/** Asks for another confirmation link. Without JavaScript the answer is a page of its own. */
export function ResendConfirmation({ email, to }: ResendConfirmationProps) {
  const fetcher = useFetcher<typeof action>()
  const answer = fetcher.data
  const sent = answer?.asked === email && !answer.problem
  return (
    <fetcher.Form
      method="post"
      action={`/confirm-email?to=${encodeURIComponent(to)}`}
      className="grid gap-3"
    >
      <input type="hidden" name="email" value={email} />
      {answer?.problem && <Banner tone="danger">{answer.problem}</Banner>}
      <Button
        type="submit"
        variant="secondary"
        disabled={sent}
        busy={fetcher.state !== 'idle'}
        busyText="Sending..."
      >
        {sent ? 'Sent' : 'Resend the confirmation email'}
      </Button>
      <output className="text-sm text-muted">
        {sent && 'If this account still waits to be confirmed, another link is on its way.'}
      </output>
    </fetcher.Form>
  )
}
