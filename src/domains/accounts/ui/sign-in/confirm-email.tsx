import { data, Form, useNavigation } from 'react-router'
import type { Route } from './+types/confirm-email'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { authApi, shellContext } from '../../../../web/page-context.ts'
import { emailProblem, readSignUp, returnPath } from '../../rules.ts'
import { linkRefusal } from '../../sign-in-words.ts'
import { AccountPage } from '../account-page.tsx'
import { EmailField } from './email-field.tsx'
import { orUnreachable } from './or-unreachable.ts'
import { privateMeta } from './private-meta.ts'
import { readForm } from './read-form.ts'

export const meta = () =>
  privateMeta('Confirm your email', 'Confirm that an email address is yours.')

type Outcome =
  | { outcome: 'asked' }
  | { outcome: 'confirmed' | 'allowed' | 'changed' }
  | { outcome: 'refused'; reason: string }

export async function loader({ context, url }: Route.LoaderArgs) {
  const { signedIn } = context.get(shellContext)
  const to = returnPath(url.searchParams.get('to'))
  const token = url.searchParams.get('token')
  const result = token ? await confirm(token) : { outcome: 'asked' as const }
  return data({ ...result, signedIn, to }, { status: result.outcome === 'refused' ? 400 : 200 })

  async function confirm(link: string): Promise<Outcome> {
    const answer = await context.get(authApi)(`/verify-email?token=${encodeURIComponent(link)}`)
    if (!answer.ok) return { outcome: 'refused', reason: linkRefusal(answer) }
    // The library names the person only when the address of an account was exchanged.
    if (!('user' in answer.body)) return { outcome: 'allowed' }
    return { outcome: answer.body.user ? 'changed' : 'confirmed' }
  }
}

/** Another link. The answer is the same whether or not anybody waits for one. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { email } = readSignUp(await readForm(request))
  const problem = emailProblem(email)
  if (problem) return data({ asked: email, problem }, { status: 400 })
  const callbackURL = returnPath(url.searchParams.get('to'))
  const answer = await context.get(authApi)('/send-verification-email', { email, callbackURL })
  if (!answer.ok) return data({ asked: email, problem: answer.message }, { status: answer.status })
  return data({ asked: email, problem: null })
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const { email } = readSignUp(await readForm(request.clone()))
  return serverAction().catch(orUnreachable({ asked: email }))
}

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { outcome, signedIn, to } = loaderData
  const search = `?to=${encodeURIComponent(to)}`
  const onward = signedIn ? (
    <ButtonLink to="/dashboard" size="lg">
      Go to your dashboard
    </ButtonLink>
  ) : (
    <ButtonLink to={`/login${search}`} size="lg">
      Login
    </ButtonLink>
  )
  if (outcome === 'confirmed') {
    return (
      <AccountPage title="Email confirmed" lead="Your account is active.">
        <div className="grid gap-5">
          <Banner tone="success">Thank you. Your email address is confirmed.</Banner>
          {onward}
        </div>
      </AccountPage>
    )
  }
  if (outcome === 'allowed') {
    return (
      <AccountPage title="One more step" lead="The change is allowed.">
        <Banner title="Now confirm it from the new mailbox.">
          We have sent a link to your new email address. Until you follow it, you log in with the
          old one.
        </Banner>
      </AccountPage>
    )
  }
  if (outcome === 'changed') {
    return (
      <AccountPage title="Email changed" lead="From now on you log in with your new address.">
        <div className="grid gap-5">
          <Banner tone="success">Your new email address is confirmed.</Banner>
          {onward}
        </div>
      </AccountPage>
    )
  }
  return (
    <AccountPage title="Confirm your email" lead="We can send you another confirmation link.">
      <div className="grid gap-5">
        {outcome === 'refused' && !actionData && <Banner tone="danger">{loaderData.reason}</Banner>}
        <AnotherLink answer={actionData} search={search} />
      </div>
    </AccountPage>
  )
}

type AnotherLinkProps = { answer: Route.ComponentProps['actionData']; search: string }

function AnotherLink({ answer, search }: AnotherLinkProps) {
  const busy = useNavigation().state !== 'idle'
  return (
    <Form
      method="post"
      action={`/confirm-email${search}`}
      replace
      className="grid gap-5"
      noValidate
    >
      {answer?.problem && <Banner tone="danger">{answer.problem}</Banner>}
      {answer && !answer.problem && (
        <Banner tone="success" title="Please check your email.">
          If an account with this address still waits to be confirmed, another link is on its way.
        </Banner>
      )}
      <EmailField typed={answer?.asked} busy={busy} />
      <Button type="submit" size="lg" busy={busy} busyText="Sending...">
        Send another link
      </Button>
    </Form>
  )
}
