import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/two-step'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Field, Input } from '../../../../ui/field.tsx'
import { authApi, shellContext } from '../../../../web/page-context.ts'
import { returnPath } from '../../rules.ts'
import { twoStepRefusal } from '../../sign-in-words.ts'
import { AccountPage } from '../account-page.tsx'
import { redirectWithCookies } from '../redirect-with-cookies.ts'
import { orUnreachable } from './or-unreachable.ts'
import { privateMeta } from './private-meta.ts'
import { readForm } from './read-form.ts'
import { TextLink } from './text-link.tsx'

export const meta = () => privateMeta('Two-step verification', 'The second step of logging in.')

const startAgain = (to: string) => `/login?${new URLSearchParams({ error: 'two-step-ended', to })}`

export function loader({ request, context, url }: Route.LoaderArgs) {
  const to = returnPath(url.searchParams.get('to'))
  if (context.get(shellContext).signedIn) throw redirect(to)
  // The cookie of the first step goes by itself after ten minutes.
  if (!request.headers.get('cookie')?.includes('thunder.two_factor='))
    throw redirect(startAgain(to))
  return { to, withBackupCode: url.searchParams.get('with') === 'backup-code' }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const to = returnPath(url.searchParams.get('to'))
  const form = await readForm(request)
  // Apps show their codes in groups, and people type them so.
  const code = String(form.code ?? '').replace(/\s/gu, '')
  const withBackupCode = url.searchParams.get('with') === 'backup-code'
  const refuse = (problem: string, status: number) => data({ problem }, { status })
  if (code === '') return refuse('Code is required', 400)
  if (!withBackupCode && !/^\d{6}$/.test(code)) return refuse('The code has 6 digits', 400)
  const answer = await context.get(authApi)(
    withBackupCode ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp',
    { code, trustDevice: form.trust === 'on' },
  )
  if (answer.ok) return redirectWithCookies(to, answer.cookies)
  const problem = twoStepRefusal(answer)
  return problem === null
    ? redirectWithCookies(startAgain(to), answer.cookies)
    : refuse(problem, answer.status)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreachable({}))

export default function TwoStep({ loaderData, actionData }: Route.ComponentProps) {
  const { to, withBackupCode } = loaderData
  const busy = useNavigation().formMethod === 'POST'
  const here = `/login/two-step?to=${encodeURIComponent(to)}`
  return (
    <AccountPage
      title="Two-step verification"
      lead={
        withBackupCode
          ? 'Type one of the backup codes that you kept.'
          : 'Type the code that your authenticator app shows.'
      }
    >
      <Form method="post" replace className="grid gap-5" noValidate>
        {actionData && <Banner tone="danger">{actionData.problem}</Banner>}
        <fieldset disabled={busy} className="grid gap-5">
          {withBackupCode ? (
            <Field key="backup" label="Backup code" required>
              <Input
                name="code"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={32}
              />
            </Field>
          ) : (
            <Field key="app" label="6-digit code" required>
              <Input
                name="code"
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={10}
                className="text-lg tracking-widest tabular-nums"
              />
            </Field>
          )}
          <Checkbox
            name="trust"
            label="Trust this device for 30 days"
            hint="Only on a device that is yours alone: no code is asked for here until then."
          />
        </fieldset>
        <Button type="submit" size="lg" busy={busy} busyText="Signing in...">
          Verify
        </Button>
        <p className="text-center">
          <TextLink to={withBackupCode ? here : `${here}&with=backup-code`} replace>
            {withBackupCode ? 'Use the authenticator app instead' : 'Use a backup code instead'}
          </TextLink>
        </p>
      </Form>
    </AccountPage>
  )
}
