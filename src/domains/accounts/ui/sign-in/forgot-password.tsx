import { data, Form, useNavigation } from 'react-router'
import type { Route } from './+types/forgot-password'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { authApi } from '../../../../web/page-context.ts'
import { emailProblem, readSignUp, returnPath } from '../../rules.ts'
import { AccountPage } from '../account-page.tsx'
import { EmailField } from './email-field.tsx'
import { orUnreachable } from './or-unreachable.ts'
import { privateMeta } from './private-meta.ts'
import { readForm } from './read-form.ts'
import { TextLink } from './text-link.tsx'

export const meta = () => privateMeta('Forgot your password?', 'Choose a new password by email.')

export const loader = ({ url }: Route.LoaderArgs) => ({
  to: returnPath(url.searchParams.get('to')),
})

/** The answer is the same whether or not there is an account. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { email } = readSignUp(await readForm(request))
  const refuse = (problem: string, status: number) => data({ email, problem }, { status })
  const problem = emailProblem(email)
  if (problem) return refuse(problem, 400)
  const callbackURL = returnPath(url.searchParams.get('to'))
  const answer = await context.get(authApi)('/request-password-reset', { email, callbackURL })
  if (!answer.ok) return refuse(answer.message, answer.status)
  return data({ email, problem: null })
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const { email } = readSignUp(await readForm(request.clone()))
  return serverAction().catch(orUnreachable({ email }))
}

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formMethod === 'POST'
  const sent = actionData?.problem === null
  const lead = (
    <>
      We send you a link to choose a new one. Or{' '}
      <TextLink to={`/login?to=${encodeURIComponent(loaderData.to)}`}>log in</TextLink>
    </>
  )
  return (
    <AccountPage title="Forgot your password?" lead={lead}>
      <Form method="post" replace className="grid gap-5" noValidate>
        {actionData?.problem && <Banner tone="danger">{actionData.problem}</Banner>}
        {sent && (
          <Banner tone="success" title="Please check your email.">
            If there is an account for {actionData?.email}, we have sent a link to it. It works
            once, within an hour.
          </Banner>
        )}
        <EmailField typed={actionData?.email} busy={busy} />
        <Button type="submit" size="lg" busy={busy} busyText="Sending...">
          {sent ? 'Send another link' : 'Send the link'}
        </Button>
      </Form>
    </AccountPage>
  )
}
