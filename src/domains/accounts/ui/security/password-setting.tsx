import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Card, CardHeader } from '../../../../ui/card.tsx'
import { EmailAddress } from '../../../../ui/email-address.tsx'
import { Field } from '../../../../ui/field.tsx'
import { PasswordInput } from '../../../../ui/password-input.tsx'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import { useActionCode } from '../../../../web/use-action-code.ts'
import { isFilled, passwordChangeProblem, readPasswordChange } from '../../password-change.ts'
import type { MySecurity } from '../../security-schema.ts'
import { Advice } from '../sign-in/new-password-fields.tsx'
import type { action, PasswordAnswer } from './password-page.tsx'

type PasswordSettingProps = Pick<
  MySecurity,
  | 'email'
  | 'emailVerified'
  | 'hasMailbox'
  | 'hasPassword'
  | 'phoneNumber'
  | 'passkeys'
  | 'identities'
> & {
  /** The answer that the page was sent with, where no script runs. */
  first?: PasswordAnswer
}

const place = '/settings/password'

export function PasswordSetting(props: PasswordSettingProps) {
  useActionCode(place)
  return props.hasPassword ? <ChangePassword {...props} /> : <SetPassword {...props} />
}

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' }

/** The password, typed again and changed; every other device is logged out by it. */
function ChangePassword({ email, first }: PasswordSettingProps) {
  const fetcher = useFetcher<typeof action>()
  const hydrated = useHydrated()
  const [typed, setTyped] = useState(empty)
  const [answer, setAnswer] = useState<PasswordAnswer | undefined>(first)
  const message = useRef<HTMLDivElement>(null)
  const busy = fetcher.state !== 'idle'
  const change = readPasswordChange(typed)

  const arrived = fetcher.data
  const [latest, setLatest] = useState(arrived)
  if (arrived !== latest) {
    setLatest(arrived)
    setAnswer(arrived)
    if (arrived && 'done' in arrived) setTyped(empty)
  }
  useEffect(() => {
    // The button that had the focus has nothing more to do.
    if (arrived && 'done' in arrived) message.current?.focus()
  }, [arrived])

  const box = (name: keyof typeof empty) => ({
    name,
    value: typed[name],
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [name]: event.target.value })
      setAnswer(undefined)
    },
  })

  return (
    <Card>
      <CardHeader
        title="Change password"
        description="You stay logged in here, and are logged out everywhere else."
      />
      <fetcher.Form
        method="post"
        action={place}
        noValidate
        className="grid max-w-md gap-5"
        onSubmit={(event) => {
          const problem = passwordChangeProblem(change)
          if (problem || busy) event.preventDefault()
          if (problem) setAnswer({ problem })
        }}
      >
        <div ref={message} tabIndex={-1} className="rounded-card outline-offset-4 empty:hidden">
          {answer && <Answer answer={answer} />}
        </div>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <fieldset disabled={busy} className="grid gap-5">
          <Field label="Current Password" required>
            <PasswordInput {...box('currentPassword')} autoComplete="current-password" />
          </Field>
          <div className="grid gap-2">
            <Field label="New Password" hint="At least 6 characters." required>
              <PasswordInput {...box('newPassword')} autoComplete="new-password" />
            </Field>
            <Advice password={typed.newPassword} />
          </div>
          <Field label="Confirm New Password" required>
            <PasswordInput {...box('confirmPassword')} autoComplete="new-password" />
          </Field>
        </fieldset>
        <Button
          type="submit"
          disabled={hydrated && !isFilled(change)}
          busy={busy}
          busyText="Changing..."
          className="sm:justify-self-start"
        >
          Change Password
        </Button>
      </fetcher.Form>
    </Card>
  )
}

/** For accounts that were opened another way: a link by mail sets the first password. */
function SetPassword(props: PasswordSettingProps) {
  const { email, emailVerified, hasMailbox, first } = props
  const hasOtherWays =
    props.phoneNumber !== null || props.passkeys.length > 0 || props.identities.length > 0
  // Setting a password would be the first proof of the address, which closes every way in from before.
  const confirmsFirst = !emailVerified && hasOtherWays
  const fetcher = useFetcher<typeof action>()
  const answer = fetcher.data ?? first
  return (
    <Card>
      <CardHeader
        title="Password"
        description="Your account has no password. With one you can log in by email and password as well."
      />
      {hasMailbox ? (
        <fetcher.Form method="post" action={place} className="grid justify-items-start gap-5">
          {answer && <Answer answer={answer} />}
          {confirmsFirst ? (
            <Banner tone="warning" title="Confirm your address first">
              Nobody has confirmed yet that <Address email={email} /> is yours. Set a password
              before that, and the ways you log in now are removed, as somebody else could have made
              them. Follow the link that we mail to you, then come back here.
            </Banner>
          ) : (
            <p>
              A password is set through a link that we send to <Address email={email} />.
            </p>
          )}
          <Button
            type="submit"
            name="intent"
            value={confirmsFirst ? 'confirmation' : 'link'}
            variant="secondary"
            busy={fetcher.state !== 'idle'}
            busyText="Sending..."
          >
            {confirmsFirst ? 'Send me a link to confirm it' : 'Send me a link to set one'}
          </Button>
        </fetcher.Form>
      ) : (
        <p>
          Add an email address first, under ‘Email address’; the link to set a password goes there.
        </p>
      )}
    </Card>
  )
}

const Address = ({ email }: { email: string }) => (
  <span className="font-medium">
    <EmailAddress address={email} />
  </span>
)

function Answer({ answer }: { answer: PasswordAnswer }) {
  return 'done' in answer ? (
    <Banner tone="success">{answer.done}</Banner>
  ) : (
    <Banner tone="danger">{answer.problem}</Banner>
  )
}
