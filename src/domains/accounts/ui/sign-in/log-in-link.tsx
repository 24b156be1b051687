import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/log-in-link'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { authApi, shellContext } from '../../../../web/page-context.ts'
import type { AuthAnswer } from '../../auth-calls-of.ts'
import { emailProblem, readSignUp, returnPath } from '../../rules.ts'
import { linkRefusal } from '../../sign-in-words.ts'
import { AccountPage } from '../account-page.tsx'
import { redirectWithCookies } from '../redirect-with-cookies.ts'
import { EmailField } from './email-field.tsx'
import { orUnreachable } from './or-unreachable.ts'
import { privateMeta } from './private-meta.ts'
import { readForm } from './read-form.ts'
import { TextLink } from './text-link.tsx'

export const meta = () => privateMeta('Log-in link', 'Log in with a link that we send by email.')

export function loader({ context, url }: Route.LoaderArgs) {
  const to = returnPath(url.searchParams.get('to'))
  const token = url.searchParams.get('token')
  if (context.get(shellContext).signedIn && !token) throw redirect(to)
  return { to, token }
}

/** Why the link was refused; the library says so in the address of a redirect. */
function refusalIn({ ok, code, message, location }: AuthAnswer) {
  if (ok) return null
  const told = URL.parse(location ?? '', 'http://here.invalid')?.searchParams
  return {
    code: told?.get('error') ?? code,
    message: told?.get('error_description') ?? message,
  }
}

/** Uses a link up, or asks for one. The programs that look through mailboxes press no buttons. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const to = returnPath(url.searchParams.get('to'))
  const call = context.get(authApi)
  const form = await readForm(request)
  if (typeof form.token === 'string') {
    const answer = await call(`/magic-link/verify?token=${encodeURIComponent(form.token)}`)
    const refusal = refusalIn(answer)
    if (refusal) {
      // Nobody has looked at the link: it may be good, and its token stays on the page.
      const linkUnused = answer.status === 429 || answer.status >= 500
      return data(
        { asked: '', problem: linkRefusal(refusal), linkUnused },
        { status: linkUnused ? answer.status : 400 },
      )
    }
    const next = answer.body.twoFactorRedirect ? `/login/two-step?to=${encodeURIComponent(to)}` : to
    return redirectWithCookies(next, answer.cookies)
  }
  const { email } = readSignUp(form)
  const refuse = (problem: string, status: number) =>
    data({ asked: email, problem, linkUnused: false }, { status })
  const problem = emailProblem(email)
  if (problem) return refuse(problem, 400)
  const answer = await call('/sign-in/magic-link', { email, callbackURL: to })
  if (!answer.ok) return refuse(answer.message, answer.status)
  return data({ asked: email, problem: null, linkUnused: false })
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await readForm(request.clone())
  const { email } = readSignUp(form)
  const linkUnused = typeof form.token === 'string'
  return serverAction().catch(orUnreachable({ asked: email, linkUnused }))
}

export default function LogInLink({ loaderData, actionData }: Route.ComponentProps) {
  const { to, token } = loaderData
  const busy = useNavigation().formMethod === 'POST'
  if (token && (!actionData || actionData.linkUnused)) {
    return (
      <AccountPage title="Log in" lead="One press, and you are in.">
        <Form method="post" replace className="grid gap-5">
          {actionData?.problem && <Banner tone="danger">{actionData.problem}</Banner>}
          <input type="hidden" name="token" value={token} />
          <Button type="submit" size="lg" busy={busy} busyText="Signing in...">
            Log in
          </Button>
        </Form>
      </AccountPage>
    )
  }
  const sent = actionData?.problem === null
  const search = `?to=${encodeURIComponent(to)}`
  const lead = (
    <>
      We send you a link, no password needed. Or{' '}
      <TextLink to={`/login${search}`}>log in another way</TextLink>
    </>
  )
  return (
    <AccountPage title="Email me a link" lead={lead}>
      <Form method="post" action={`/login/link${search}`} replace className="grid gap-5" noValidate>
        {actionData?.problem && <Banner tone="danger">{actionData.problem}</Banner>}
        {sent && (
          <Banner tone="success" title="Please check your email.">
            We have sent a link to {actionData?.asked}, if mail reaches you there. It works once,
            within 10 minutes.
          </Banner>
        )}
        <EmailField typed={actionData?.asked} busy={busy} />
        <Button type="submit" size="lg" busy={busy} busyText="Sending...">
          {sent ? 'Send another link' : 'Send the link'}
        </Button>
      </Form>
    </AccountPage>
  )
}
