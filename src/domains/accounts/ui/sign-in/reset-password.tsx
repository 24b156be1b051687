import { data, Form, useNavigation } from 'react-router'
import type { Route } from './+types/reset-password'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { authApi } from '../../../../web/page-context.ts'
import { newPasswordProblem, readSignUp, returnPath } from '../../rules.ts'
import { linkRefusal } from '../../sign-in-words.ts'
import { AccountPage } from '../account-page.tsx'
import { redirectWithCookies } from '../redirect-with-cookies.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { orUnreachable } from './or-unreachable.ts'
import { privateMeta } from './private-meta.ts'
import { readForm } from './read-form.ts'

export const meta = () => privateMeta('Choose a new password', 'Choose a new password.')

export const loader = ({ url }: Route.LoaderArgs) => ({
  hasToken: Boolean(url.searchParams.get('token')),
  search: searchFrom(url),
})

/** The page that the person wanted, for the way there. */
const searchFrom = (url: URL) => `to=${encodeURIComponent(returnPath(url.searchParams.get('to')))}`

export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = readSignUp(await readForm(request))
  const problem = newPasswordProblem(fields)
  if (problem) return data({ problem, linkFailed: false }, { status: 400 })
  const answer = await context.get(authApi)('/reset-password', {
    token: url.searchParams.get('token') ?? '',
    newPassword: fields.password,
  })
  if (answer.ok) {
    return redirectWithCookies(`/login?done=password-reset&${searchFrom(url)}`, answer.cookies)
  }
  const linkFailed = answer.status === 400
  return data({ problem: linkRefusal(answer), linkFailed }, { status: answer.status })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreachable({ linkFailed: false }))

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formMethod === 'POST'
  const failed = !loaderData.hasToken || actionData?.linkFailed
  return (
    <AccountPage
      title={failed ? 'This link does not work' : 'Choose a new password'}
      lead={failed ? null : 'You will be logged out everywhere.'}
    >
      {failed ? (
        <div className="grid gap-5">
          <Banner tone="danger">
            {actionData?.problem ?? linkRefusal({ code: '', message: '' })}
          </Banner>
          <ButtonLink to={`/forgot-password?${loaderData.search}`} size="lg">
            Ask for another link
          </ButtonLink>
        </div>
      ) : (
        <Form method="post" replace className="grid gap-5" noValidate>
          {actionData && <Banner tone="danger">{actionData.problem}</Banner>}
          <fieldset disabled={busy} className="grid gap-5">
            <NewPasswordFields label="New password" confirmLabel="Confirm new password" />
          </fieldset>
          <Button type="submit" size="lg" busy={busy} busyText="Saving...">
            Save the new password
          </Button>
        </Form>
      )}
    </AccountPage>
  )
}
