import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/confirm-email'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { authApi, shellContext } from '../../../../web/page-context.ts'
import type { AuthAnswer } from '../../auth-calls-of.ts'
import { wishOfLink } from '../../confirmation-link.ts'
import { emailProblem, readSignUp, returnPath } from '../../rules.ts'
import { linkRefusal } from '../../sign-in-words.ts'
import { AccountPage } from '../account-page.tsx'
import { EmailConfirmed, isConfirmation } from './email-confirmed.tsx'
import { EmailField } from './email-field.tsx'
import { orUnreachable } from './or-unreachable.ts'
import { privateMeta } from './private-meta.ts'
import { readForm } from './read-form.ts'

export const meta = () =>
  privateMeta('Confirm your email', 'Confirm that an email address is yours.')

/** Only shows: the programs that look through mailboxes follow links, and would act in the owner's name. */
export function loader({ context, url }: Route.LoaderArgs) {
  const done = url.searchParams.get('done')
  const token = url.searchParams.get('token')
  return {
    done: isConfirmation(done) ? done : null,
    token,
    wish: token ? wishOfLink(token) : null,
    signedIn: context.get(shellContext).signedIn,
    search: searchFrom(url),
  }
}

/** The page that the person wanted, for the way there. */
const searchFrom = (url: URL) => `to=${encodeURIComponent(returnPath(url.searchParams.get('to')))}`

/** The library names the person only when the address of an account was exchanged. */
function confirmationIn({ body }: AuthAnswer) {
  if (!('user' in body)) return 'allowed'
  return body.user ? 'changed' : 'confirmed'
}

/** Uses a link, or sends another one. That answer is the same whether or not anybody waits for one. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const call = context.get(authApi)
  const form = await readForm(request)
  if (typeof form.token === 'string') {
    const answer = await call(`/verify-email?token=${encodeURIComponent(form.token)}`)
    if (answer.ok)
      return redirect(`/confirm-email?done=${confirmationIn(answer)}&${searchFrom(url)}`)
    const linkUnused = answer.status === 429 || answer.status >= 500
    return data(
      { asked: '', problem: linkUnused ? answer.message : linkRefusal(answer), linkUnused },
      { status: linkUnused ? answer.status : 400 },
    )
  }
  const { email } = readSignUp(form)
  const refuse = (problem: string, status: number) =>
    data({ asked: email, problem, linkUnused: false }, { status })
  const problem = emailProblem(email)
  if (problem) return refuse(problem, 400)
  const callbackURL = returnPath(url.searchParams.get('to'))
  const answer = await call('/send-verification-email', { email, callbackURL })
  if (!answer.ok) return refuse(answer.message, answer.status)
  return data({ asked: email, problem: null, linkUnused: false })
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await readForm(request.clone())
  const { email } = readSignUp(form)
  const linkUnused = typeof form.token === 'string'
  return serverAction().catch(orUnreachable({ asked: email, linkUnused }))
}

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { done, token, wish, signedIn, search } = loaderData
  const busy = useNavigation().formMethod === 'POST'
  if (done && !actionData) return <EmailConfirmed done={done} signedIn={signedIn} search={search} />
  const problem = actionData?.problem && <Banner tone="danger">{actionData.problem}</Banner>
  if (token && (!actionData || actionData.linkUnused)) {
    const allows = wish === 'allow'
    return (
      <AccountPage
        title={allows ? 'Change your email address?' : 'Confirm your email'}
        lead={allows ? 'Allow it only if you asked for it.' : 'One press, and it is done.'}
      >
        <Form method="post" replace className="grid gap-5">
          {problem}
          <input type="hidden" name="token" value={token} />
          <Button type="submit" size="lg" busy={busy} busyText="One moment...">
            {allows ? 'Allow the change' : 'Confirm my email address'}
          </Button>
        </Form>
      </AccountPage>
    )
  }
  // Only who was logged in could ask for another address, and only there it is asked for again.
  if (wish === 'allow' || wish === 'change') {
    return (
      <AccountPage title="This link does not work" lead="You can ask for the change again.">
        <div className="grid gap-5">
          {problem}
          <ButtonLink to="/settings#security" size="lg">
            Go to your settings
          </ButtonLink>
        </div>
      </AccountPage>
    )
  }
  return (
    <AccountPage title="Confirm your email" lead="We can send you another confirmation link.">
      <Form
        method="post"
        action={`/confirm-email?${search}`}
        replace
        className="grid gap-5"
        noValidate
      >
        {problem}
        {actionData?.problem === null && (
          <Banner tone="success" title="Please check your email.">
            If an account with this address still waits to be confirmed, another link is on its way.
          </Banner>
        )}
        <EmailField typed={actionData?.asked} busy={busy} />
        <Button type="submit" size="lg" busy={busy} busyText="Sending...">
          Send another link
        </Button>
      </Form>
    </AccountPage>
  )
}
