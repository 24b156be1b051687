import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { Badge } from '../../../../ui/badge.tsx'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Card, CardHeader } from '../../../../ui/card.tsx'
import { EmailAddress } from '../../../../ui/email-address.tsx'
import { Field, Input } from '../../../../ui/field.tsx'
import { emailProblem, limits, readSignUp } from '../../rules.ts'
import type { MySecurity } from '../../security-schema.ts'
import { securityRefusal } from '../../security-words.ts'
import { authCall } from './auth-call.ts'
import { useProvenCall } from './proof.tsx'

type EmailSettingProps = Pick<MySecurity, 'email' | 'emailVerified' | 'hasMailbox'>
type Outcome = { done: string } | { problem: string }

/** The address, its confirmation, and the change to another one. */
export function EmailSetting(props: EmailSettingProps) {
  const { email, emailVerified, hasMailbox } = props
  return (
    <Card>
      <CardHeader
        title="Email address"
        description="You log in with it, and we write to it. Only you can see it."
      />
      <div className="grid gap-6">
        {hasMailbox ? (
          <p className="flex flex-wrap items-center gap-3">
            <span className="font-semibold">
              <EmailAddress address={email} />
            </span>
            <Badge tone={emailVerified ? 'success' : 'warning'}>
              {emailVerified ? 'Confirmed' : 'Not confirmed'}
            </Badge>
          </p>
        ) : (
          <p>Your account has no email address yet.</p>
        )}
        {hasMailbox && <Confirmation key={email} {...props} />}
        <ChangeEmail key={email} {...props} />
      </div>
    </Card>
  )
}

function Confirmation({ email, emailVerified }: EmailSettingProps) {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  async function send() {
    setBusy(true)
    const reply = await authCall('/send-verification-email', { email })
    // It may have been confirmed in another tab, and then no link was sent.
    if (reply.ok) await revalidate()
    setBusy(false)
    setOutcome(
      reply.ok
        ? { done: `We sent a link to ${email}. It is good for 24 hours.` }
        : { problem: securityRefusal(reply) },
    )
  }

  if (emailVerified) {
    return outcome && <Result outcome={{ done: 'Your address is confirmed.' }} />
  }
  return (
    <div className="grid gap-3">
      <Banner
        tone="warning"
        title="Confirm your address"
        action={
          <Button
            size="sm"
            variant="secondary"
            busy={busy}
            busyText="Sending..."
            onClick={() => void send()}
          >
            {outcome && 'done' in outcome ? 'Send it again' : 'Send me a link'}
          </Button>
        }
      >
        Follow the link that we mail to you, so that you can get back in when you forget your
        password.
      </Banner>
      <Result outcome={outcome} />
    </div>
  )
}

function ChangeEmail({ email, emailVerified }: EmailSettingProps) {
  const call = useProvenCall()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const newEmail = readSignUp({ email: typed }).email
    const found = emailProblem(newEmail)
    setProblem(found ?? '')
    setOutcome(null)
    if (found) return
    setBusy(true)
    const reply = await call('/change-email', { newEmail })
    setBusy(false)
    if (!reply.ok) {
      const refusal = securityRefusal(reply)
      setOutcome(refusal ? { problem: refusal } : null)
      return
    }
    setTyped('')
    setOutcome({
      done: emailVerified
        ? `Unless ${newEmail} belongs to another account, a link is on its way to ${email}. Follow it to allow the change; then we mail a second link to ${newEmail}. Your address changes when you have followed both.`
        : `Unless ${newEmail} belongs to another account, a link is on its way there. Your address changes when you have followed it.`,
    })
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid max-w-md gap-5">
      <Field
        label="New email address"
        required
        error={problem}
        hint={
          emailVerified
            ? 'First you allow the change from your present mailbox, then you confirm it from the new one.'
            : 'You confirm it from the new mailbox. Until then nothing changes.'
        }
      >
        <Input
          type="email"
          autoComplete="email"
          maxLength={limits.email}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem('')
            setOutcome(null)
          }}
        />
      </Field>
      <Result outcome={outcome} />
      <Button
        type="submit"
        variant="secondary"
        busy={busy}
        busyText="Sending..."
        className="sm:justify-self-start"
      >
        Change email address
      </Button>
    </form>
  )
}

function Result({ outcome }: { outcome: Outcome | null }) {
  if (!outcome) return null
  return 'done' in outcome ? (
    <Banner tone="success">{outcome.done}</Banner>
  ) : (
    <Banner tone="danger">{outcome.problem}</Banner>
  )
}
