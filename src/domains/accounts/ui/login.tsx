import { data, Form, Link, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/login'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { shellContext, signInContext } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { emailProblem, readSignUp, returnPath } from '../rules.ts'
import { AccountPage } from './account-page.tsx'
import { redirectWithCookies } from './redirect-with-cookies.ts'

export const meta = () => pageMeta('Login', 'Log in to go on with your courses.')

export function loader({ context, url }: Route.LoaderArgs) {
  const to = returnPath(url.searchParams.get('to'))
  if (context.get(shellContext).signedIn) throw redirect(to)
  return { to }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = Object.fromEntries(await request.formData())
  const { email, password } = readSignUp(form)
  const refuse = (problem: string, status: number) => data({ problem, email }, { status })
  const problem = emailProblem(email) ?? (password === '' ? 'Password is required' : null)
  if (problem) return refuse(problem, 400)
  const result = await context
    .get(signInContext)
    .logIn({ email, password, rememberMe: form.remember === 'on' })
  if ('problem' in result) return refuse(result.problem, 401)
  return redirectWithCookies(returnPath(url.searchParams.get('to')), result.cookies)
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state !== 'idle'
  const search = `?to=${encodeURIComponent(loaderData.to)}`
  return (
    <AccountPage
      title="Welcome back"
      lead={
        <>
          New here?{' '}
          <Link to={`/signup${search}`} className="font-semibold text-primary underline">
            Create an account
          </Link>
        </>
      }
    >
      <Form method="post" className="grid gap-5" noValidate>
        {actionData?.problem && <Banner tone="danger">{actionData.problem}</Banner>}
        <fieldset disabled={busy} className="grid gap-5">
          <Field label="Email" required>
            <Input
              type="email"
              name="email"
              autoComplete="email"
              maxLength={254}
              defaultValue={actionData?.email}
            />
          </Field>
          <Field label="Password" required>
            <PasswordInput name="password" autoComplete="current-password" maxLength={128} />
          </Field>
          <Checkbox
            name="remember"
            label="Remember me"
            hint="Stay logged in on this device for 30 days."
          />
        </fieldset>
        <Button type="submit" size="lg" busy={busy} busyText="Signing in...">
          Login
        </Button>
      </Form>
    </AccountPage>
  )
}
