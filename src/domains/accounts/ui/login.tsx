import { useEffect, useRef } from 'react'
import { data, Form, redirect, useNavigate, useNavigation } from 'react-router'
import type { Route } from './+types/login'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { authApi, pageApi, shellContext } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { emailProblem, readSignUp, returnPath } from '../rules.ts'
import { logInFailed, logInRefusal, returnReason, waitsForConfirmation } from '../sign-in-words.ts'
import { AccountPage } from './account-page.tsx'
import { redirectWithCookies } from './redirect-with-cookies.ts'
import { pageBefore } from './sign-in/page-before.ts'
import { OtherWays } from './sign-in/other-ways.tsx'
import { readForm } from './sign-in/read-form.ts'
import { ResendConfirmation } from './sign-in/resend-confirmation.tsx'
import { TextLink } from './sign-in/text-link.tsx'
import { usePasskey } from './sign-in/use-passkey.ts'

export const meta = () => pageMeta('Login', 'Log in to go on with your courses.')

function withPage(search: URLSearchParams, to: string) {
  const whole = new URLSearchParams(search)
  whole.set('to', to)
  return whole
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { signedIn, appUrl } = context.get(shellContext)
  const before = url.searchParams.has('to') ? null : pageBefore(request, appUrl)
  const to = before ?? returnPath(url.searchParams.get('to'))
  if (signedIn) throw redirect(to)
  // In the address it outlasts a refused log-in and loading the page anew.
  if (before) throw redirect(`/login?${withPage(url.searchParams, before)}`)
  const error = url.searchParams.get('error')
  return {
    to,
    ways: await context.get(pageApi).accounts.getSignInWays(),
    sentBack: returnReason(error),
    waits: waitsForConfirmation(error),
    passwordReset: url.searchParams.get('done') === 'password-reset',
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const to = returnPath(url.searchParams.get('to'))
  const form = await readForm(request)
  const { email, password } = readSignUp(form)
  const remember = form.remember === 'on'
  const refuse = (problem: string, status: number, unconfirmed = false) =>
    data({ problem, email, remember, unconfirmed }, { status })
  const problem = emailProblem(email) ?? (password === '' ? 'Password is required' : null)
  if (problem) return refuse(problem, 400)
  const answer = await context.get(authApi)('/sign-in/email', {
    email,
    password,
    rememberMe: remember,
  })
  if (!answer.ok) {
    return refuse(logInRefusal(answer), answer.status, answer.code === 'EMAIL_NOT_VERIFIED')
  }
  const next = answer.body.twoFactorRedirect ? `/login/two-step?to=${encodeURIComponent(to)}` : to
  return redirectWithCookies(next, answer.cookies)
}

/** Without an answer what was typed stays, under the words for it. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await readForm(request.clone())
  const { email } = readSignUp(form)
  const remember = form.remember === 'on'
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached({ problem: logInFailed, email, remember, unconfirmed: false })
  })
}

/** The part of a page that somebody wanted to, which browsers keep and never send: '/settings#billing'. */
function useWantedPart(to: string) {
  const navigate = useNavigate()
  useEffect(() => {
    const { hash } = location
    if (hash === '' || to.includes('#')) return
    void navigate(`?to=${encodeURIComponent(to + hash)}`, { replace: true })
  }, [navigate, to])
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const { to, ways, sentBack, waits, passwordReset } = loaderData
  useWantedPart(to)
  const busy = useNavigation().formMethod === 'POST'
  const remember = useRef<HTMLInputElement>(null)
  const passkey = usePasskey(to, () => remember.current?.checked ?? false)
  const search = `?to=${encodeURIComponent(to)}`
  const lead = (
    <>
      New here? <TextLink to={`/signup${search}`}>Create an account</TextLink>
    </>
  )
  return (
    <AccountPage title="Welcome back" lead={lead}>
      {actionData?.unconfirmed && (
        <div className="mb-6 grid gap-3">
          <Banner tone="danger">{actionData.problem}</Banner>
          <ResendConfirmation email={actionData.email} to={to} />
        </div>
      )}
      {/* Replaces this entry of the history: nobody wants to come back to the form. */}
      <Form method="post" replace className="grid gap-5" noValidate>
        {actionData && !actionData.unconfirmed && (
          <Banner tone="danger">{actionData.problem}</Banner>
        )}
        {!actionData && sentBack && (
          <div className="grid gap-3">
            <Banner tone="danger">{sentBack}</Banner>
            {waits && (
              <ButtonLink to={`/confirm-email${search}`} variant="secondary">
                Send me another link
              </ButtonLink>
            )}
          </div>
        )}
        {!actionData && passwordReset && (
          <Banner tone="success" title="Your password was changed.">
            You were logged out everywhere. Log in with the new one.
          </Banner>
        )}
        <fieldset disabled={busy} className="grid gap-5">
          <Field label="Email" required>
            <Input
              type="email"
              name="email"
              autoComplete="username webauthn"
              maxLength={254}
              defaultValue={actionData?.email}
              onFocus={passkey.suggest}
            />
          </Field>
          <Field label="Password" required>
            <PasswordInput name="password" autoComplete="current-password" />
          </Field>
          <Checkbox
            ref={remember}
            name="remember"
            defaultChecked={actionData?.remember}
            label="Remember me"
            hint="Stay logged in on this device for 30 days."
          />
        </fieldset>
        <Button type="submit" size="lg" busy={busy} busyText="Signing in...">
          Login
        </Button>
        <p className="text-center">
          <TextLink to={`/forgot-password${search}`}>Forgot your password?</TextLink>
        </p>
      </Form>
      <OtherWays ways={ways} passkey={passkey} to={to} />
    </AccountPage>
  )
}
