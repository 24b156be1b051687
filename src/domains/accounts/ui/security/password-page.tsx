// The calls behind 'Change password', and a page of its own for the form where no script runs.
import { data, redirect } from 'react-router'
import type { Route } from './+types/password-page'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { formDataOf } from '../../../../web/form-data-of.ts'
import { authApi, formApi, pageApi } from '../../../../web/page-context.ts'
import { unreached } from '../../../../web/unreached.ts'
import { pageMeta } from '../../../site/ui/page-meta.ts'
import { passwordChangeProblem, readPasswordChange } from '../../password-change.ts'
import { passwordChangeFailed, passwordRefusal, securityRefusal } from '../../security-words.ts'
import { PasswordSetting } from './password-setting.tsx'

export const meta = () => pageMeta('Change password', 'Choose another password for your account.')

export async function loader({ context }: Route.LoaderArgs) {
  const { email, emailVerified, hasMailbox, hasPassword, phoneNumber, passkeys, identities } =
    await context.get(pageApi).accounts.getMySecurity()
  return { email, emailVerified, hasMailbox, hasPassword, phoneNumber, passkeys, identities }
}

export type PasswordAnswer = { done: string } | { problem: string }

const answer = (content: PasswordAnswer, status: number, cookies: string[] = []) =>
  data(content, {
    status,
    headers: cookies.map((cookie): [string, string] => ['set-cookie', cookie]),
  })

export async function action({ request, context }: Route.ActionArgs) {
  const form = Object.fromEntries(await formDataOf(request))
  const call = context.get(authApi)
  if (form.intent === 'link' || form.intent === 'confirmation') {
    const [path, time] =
      form.intent === 'link'
        ? ['/request-password-reset', 'an hour']
        : ['/send-verification-email', '24 hours']
    const { email, emailVerified } = await context.get(formApi).accounts.getMySecurity()
    // Confirmed in another tab, while this one still asked for it.
    if (form.intent === 'confirmation' && emailVerified) {
      return answer({ done: 'Your address is confirmed. Now you can set a password.' }, 200)
    }
    const asked = await call(path, { email })
    if (!asked.ok) return answer({ problem: securityRefusal(asked) }, asked.status)
    return answer({ done: `We sent a link to ${email}. It is good for ${time}.` }, 200)
  }
  const change = readPasswordChange(form)
  const problem = passwordChangeProblem(change)
  if (problem) return answer({ problem }, 400)
  const changed = await call('/change-password', {
    currentPassword: change.current,
    newPassword: change.next,
    revokeOtherSessions: true,
  })
  if (changed.status === 401) throw redirect('/login?to=/settings%23security')
  if (!changed.ok) return answer({ problem: passwordRefusal(changed) }, changed.status)
  return answer({ done: 'Password changed successfully!' }, 200, changed.cookies)
}

/** Without a connection the form stays as it is, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return unreached<PasswordAnswer>({ problem: passwordChangeFailed })
  }
}

export default function PasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="page-width grid max-w-2xl grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader back={{ to: '/settings#security', label: 'Back to Settings' }} title="Password" />
      <PasswordSetting {...loaderData} first={actionData} />
    </div>
  )
}
