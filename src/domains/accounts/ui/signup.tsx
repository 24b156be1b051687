import { useEffect, useState } from 'react'
import { data, Form, Link, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/signup'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { shellContext, signInContext } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { readSignUp, returnPath, signUpProblem } from '../rules.ts'
import { AccountPage } from './account-page.tsx'
import { redirectWithCookies } from './redirect-with-cookies.ts'

export const meta = () =>
  pageMeta('Sign up', 'Create a free account: make courses, join courses, keep your progress.')

export function loader({ context, url }: Route.LoaderArgs) {
  const to = returnPath(url.searchParams.get('to'))
  if (context.get(shellContext).signedIn) throw redirect(to)
  return { to }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = readSignUp(Object.fromEntries(await request.formData()))
  const typed = { name: fields.name, email: fields.email }
  const problem = signUpProblem(fields)
  if (problem) return data({ problem, ...typed }, { status: 400 })
  const result = await context.get(signInContext).signUp(fields)
  if ('problem' in result) return data({ ...result, ...typed }, { status: 400 })
  return redirectWithCookies(returnPath(url.searchParams.get('to')), result.cookies)
}

/** Milliseconds that an error stays (spec 1, section 9). */
const errorShown = 5000

/** The problem of the last attempt, gone after five seconds. */
function useFadingProblem(attempt: { problem: string } | undefined): string | null {
  const [faded, setFaded] = useState<object | undefined>()
  useEffect(() => {
    if (!attempt) return
    const timer = setTimeout(() => setFaded(attempt), errorShown)
    return () => clearTimeout(timer)
  }, [attempt])
  return attempt && attempt !== faded ? attempt.problem : null
}

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state !== 'idle'
  const problem = useFadingProblem(actionData)
  return (
    <AccountPage
      title="Create your account"
      lead={
        <>
          Already have one?{' '}
          <Link
            to={`/login?to=${encodeURIComponent(loaderData.to)}`}
            className="font-semibold text-primary underline"
          >
            Log in
          </Link>
        </>
      }
    >
      <Form method="post" className="grid gap-5" noValidate>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <fieldset disabled={busy} className="grid gap-5">
          <Field label="Display Name" required>
            <Input name="name" autoComplete="name" maxLength={80} defaultValue={actionData?.name} />
          </Field>
          <Field label="Email" required>
            <Input
              type="email"
              name="email"
              autoComplete="email"
              maxLength={254}
              defaultValue={actionData?.email}
            />
          </Field>
          <Field label="Password" hint="At least 6 characters." required>
            <PasswordInput name="password" autoComplete="new-password" maxLength={128} />
          </Field>
          <Field label="Confirm Password" required>
            <PasswordInput name="confirmPassword" autoComplete="new-password" maxLength={128} />
          </Field>
          <Checkbox
            name="terms"
            required
            label={
              <>
                I agree to the{' '}
                <Link to="/terms" target="_blank" className="font-semibold text-primary underline">
                  Terms of Service
                </Link>{' '}
                and{' '}
                <Link
                  to="/privacy"
                  target="_blank"
                  className="font-semibold text-primary underline"
                >
                  Privacy Policy
                </Link>
              </>
            }
          />
        </fieldset>
        <Button type="submit" size="lg" busy={busy} busyText="Creating account...">
          Create account
        </Button>
      </Form>
    </AccountPage>
  )
}
