import { type FormEvent, useState } from 'react'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { unreachable } from '../../sign-in-words.ts'
import { authCall } from '../security/auth-call.ts'

type ResendConfirmationProps = {
  email: string
  /** The page that the person wanted. */
  to: string
}

/**
 * Asks for another confirmation link. Without JavaScript the answer is a page of its own, whose code a fetcher would
 * have to fetch first: without a connection there would be nothing left to say so.
 */
export function ResendConfirmation({ email, to }: ResendConfirmationProps) {
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState({ asked: '', problem: '' })
  const { asked, problem } = answer
  const sent = asked === email && problem === ''

  async function resend(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const reply = await authCall('/send-verification-email', { email, callbackURL: to })
    setAnswer({ asked: email, problem: reply.ok ? '' : reply.message || unreachable })
    setBusy(false)
  }

  return (
    <form
      method="post"
      action={`/confirm-email?to=${encodeURIComponent(to)}`}
      onSubmit={(event) => void resend(event)}
      className="grid gap-3"
    >
      <input type="hidden" name="email" value={email} />
      {problem && <Banner tone="danger">{problem}</Banner>}
      <Button type="submit" variant="secondary" disabled={sent} busy={busy} busyText="Sending...">
        {sent ? 'Sent' : 'Resend the confirmation email'}
      </Button>
      <output className="text-sm text-muted">
        {sent && 'If this account still waits to be confirmed, another link is on its way.'}
      </output>
    </form>
  )
}
