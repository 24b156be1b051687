import { useEffect, useRef, useState } from 'react'
import {
  data,
  Form,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useNavigation,
} from 'react-router'
import type { Route } from './+types/signup'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { authApi, pageApi, shellContext } from '../../../web/page-context.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { unreached } from '../../../web/unreached.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { readSignUp, returnPath, type SignUpField, signUpFault } from '../rules.ts'
import { signUpClosed, signUpFailed, signUpRefusal, signUpRefusedField } from '../sign-in-words.ts'
import { AccountPage } from './account-page.tsx'
import { AccountCreated } from './sign-in/account-created.tsx'
import { NewPasswordFields } from './sign-in/new-password-fields.tsx'
import { readForm } from './sign-in/read-form.ts'
import { TextLink } from './sign-in/text-link.tsx'
import { withCookies } from './redirect-with-cookies.ts'

export const meta = () =>
  pageMeta('Sign up', 'Create a free account: make courses, join courses, keep your progress.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const to = returnPath(url.searchParams.get('to'))
  if (context.get(shellContext).signedIn) throw redirect(to)
  const { signUpOpen } = await context.get(pageApi).accounts.getSignInWays()
  return { to, signUpOpen }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const to = returnPath(url.searchParams.get('to'))
  if (context.get(shellContext).signedIn) throw redirect(to)
  const fields = readSignUp(await readForm(request))
  const typed = { name: fields.name, email: fields.email }
  const refuse = (problem: string, field: SignUpField | null, status: number) =>
    data({ created: null, problem, field, typed }, { status })
  const fault = signUpFault(fields)
  if (fault) return refuse(fault.problem, fault.field, 400)
  const answer = await context.get(authApi)('/sign-up/email', { ...fields, callbackURL: to })
  if (!answer.ok) return refuse(signUpRefusal(answer), signUpRefusedField(answer), answer.status)
  const loggedIn = answer.cookies.some((cookie) => cookie.includes('session_token='))
  return data(
    { created: { email: fields.email, loggedIn }, problem: null, field: null, typed: null },
    withCookies(answer.cookies),
  )
}

/** Without an answer what was typed stays, under the words for it. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const { name, email } = readSignUp(await readForm(request.clone()))
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached({
      created: null,
      problem: signUpFailed,
      field: null,
      typed: { name, email },
    })
  })
}

/** Who just signed up would be sent on by the loader before the good news can be read. */
export function shouldRevalidate({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return actionResult?.created ? false : defaultShouldRevalidate
}

/** Milliseconds that an error stays (spec 1, section 9). */
const errorShown = 5000

/** The problem of the last attempt, gone after five seconds. */
function useFadingProblem(attempt: { problem: string | null } | undefined): string | null {
  const [faded, setFaded] = useState<object | undefined>()
  useEffect(() => {
    if (!attempt?.problem) return
    const timer = setTimeout(() => setFaded(attempt), errorShown)
    return () => clearTimeout(timer)
  }, [attempt])
  return attempt && attempt !== faded ? attempt.problem : null
}

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const { to, signUpOpen } = loaderData
  const { sign_up: off } = useSwitchedOff()
  const lead = (
    <>
      Already have one? <TextLink to={`/login?to=${encodeURIComponent(to)}`}>Log in</TextLink>
    </>
  )
  return (
    <AccountPage title="Create your account" lead={lead}>
      {signUpOpen ? (
        <div className="grid gap-6">
          {actionData?.created && <AccountCreated {...actionData.created} to={to} />}
          <SignUpForm answer={actionData} />
        </div>
      ) : (
        <Banner tone="warning">
          {off ?? signUpClosed} <TextLink to="/support?topic=account">Contact support</TextLink>
        </Banner>
      )}
    </AccountPage>
  )
}

type SignUpFormProps = { answer: Route.ComponentProps['actionData'] }

function SignUpForm({ answer }: SignUpFormProps) {
  const problem = useFadingProblem(answer)
  const created = answer?.created
  const busy = useNavigation().formMethod === 'POST' && !created
  const form = useRef<HTMLFormElement>(null)
  // It stays after the banner is gone.
  const problemAt = (field: SignUpField) =>
    answer?.field === field ? (answer.problem ?? undefined) : undefined

  useEffect(() => {
    if (answer?.field && !busy) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [answer, busy])

  return (
    <Form ref={form} method="post" className="grid gap-5" noValidate>
      {problem && <Banner tone="danger">{problem}</Banner>}
      {/* Another key makes the fields anew, and so empties them. */}
      <fieldset
        key={created ? 'created' : 'open'}
        disabled={busy || Boolean(created)}
        className="grid gap-5"
      >
        <Field label="Display Name" error={problemAt('name')} required>
          <Input
            name="name"
            autoComplete="name"
            maxLength={80}
            defaultValue={answer?.typed?.name}
          />
        </Field>
        <Field label="Email" error={problemAt('email')} required>
          <Input
            type="email"
            name="email"
            autoComplete="email"
            maxLength={254}
            defaultValue={answer?.typed?.email}
          />
        </Field>
        <NewPasswordFields
          label="Password"
          confirmLabel="Confirm Password"
          problem={problemAt('password')}
          confirmProblem={problemAt('confirmPassword')}
        />
        <Checkbox
          name="terms"
          required
          error={problemAt('terms')}
          label={
            <>
              I agree to the{' '}
              <TextLink to="/terms" target="_blank">
                Terms of Service
              </TextLink>{' '}
              and{' '}
              <TextLink to="/privacy" target="_blank">
                Privacy Policy
              </TextLink>
            </>
          }
        />
      </fieldset>
      <Button
        type="submit"
        size="lg"
        disabled={Boolean(created)}
        busy={busy}
        busyText="Creating account..."
      >
        {created ? 'Account created!' : 'Create account'}
      </Button>
    </Form>
  )
}
