import { useEffect } from 'react'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/log-in-sso'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { authApi, shellContext } from '../../../../web/page-context.ts'
import { emailProblem, readSignUp, returnPath } from '../../rules.ts'
import { AccountPage } from '../account-page.tsx'
import { withCookies } from '../redirect-with-cookies.ts'
import { EmailField } from './email-field.tsx'
import { orUnreachable } from './or-unreachable.ts'
import { privateMeta } from './private-meta.ts'
import { readForm } from './read-form.ts'
import { TextLink } from './text-link.tsx'
import { throughOtherSite } from './through-other-site.ts'

export const meta = () => privateMeta('Log in with SSO', 'Log in through your organization.')

export function loader({ context, url }: Route.LoaderArgs) {
  const to = returnPath(url.searchParams.get('to'))
  if (context.get(shellContext).signedIn) throw redirect(to)
  return { to }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const to = returnPath(url.searchParams.get('to'))
  const { email } = readSignUp(await readForm(request))
  const refuse = (problem: string, status: number) =>
    data({ email, problem, next: null }, { status })
  const problem = emailProblem(email)
  if (problem) return refuse(problem, 400)
  const answer = await context.get(authApi)('/sign-in/sso', {
    email,
    ...throughOtherSite(context.get(shellContext).appUrl, to),
  })
  if (answer.status === 404) {
    return refuse(
      'No organization with this email address logs in here. Is it your work email?',
      404,
    )
  }
  if (answer.status === 429 || answer.status === 503) return refuse(answer.message, answer.status)
  if (!answer.ok || typeof answer.body.url !== 'string') {
    return refuse(
      'Your organization could not be reached. Please try again, or log in another way.',
      answer.ok ? 502 : Math.min(answer.status, 499),
    )
  }
  return data({ email, problem: null, next: answer.body.url }, withCookies(answer.cookies))
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const { email } = readSignUp(await readForm(request.clone()))
  return serverAction().catch(orUnreachable({ email, next: null }))
}

export default function LogInSso({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formMethod === 'POST'
  const next = actionData?.next
  useEffect(() => {
    if (next) location.assign(next)
  }, [next])
  const lead = (
    <>
      Or{' '}
      <TextLink to={`/login?to=${encodeURIComponent(loaderData.to)}`}>log in another way</TextLink>
    </>
  )
  if (next) {
    return (
      <AccountPage title="Log in with SSO" lead={lead}>
        <div className="grid gap-5">
          <Banner title="Your organization asks who you are.">
            You come back here when you have logged in there.
          </Banner>
          {/* A link, as the content security policy lets no form end on another site. */}
          <a href={next} className={buttonClass({ size: 'lg' })}>
            Continue to {new URL(next).hostname}
          </a>
        </div>
      </AccountPage>
    )
  }
  return (
    <AccountPage title="Log in with SSO" lead={lead}>
      <Form method="post" replace className="grid gap-5" noValidate>
        {actionData?.problem && <Banner tone="danger">{actionData.problem}</Banner>}
        <EmailField label="Work email" typed={actionData?.email} busy={busy} />
        <Button type="submit" size="lg" busy={busy} busyText="One moment...">
          Continue
        </Button>
      </Form>
    </AccountPage>
  )
}
