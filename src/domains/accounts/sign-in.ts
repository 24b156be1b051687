import { APIError } from 'better-auth/api'
import type { Auth } from '../../server/auth.ts'
import type { SignUpFields } from './rules.ts'

/** Cookies for the browser, or what went wrong in the spec's words (spec 1, section 8). */
type SignInResult = { cookies: string[] } | { problem: string }

/** Signing up, in and out for pages whose forms work without JavaScript. */
export interface SignIn {
  signUp(fields: SignUpFields): Promise<SignInResult>
  logIn(fields: { email: string; password: string; rememberMe: boolean }): Promise<SignInResult>
  logOut(): Promise<SignInResult>
}

const taken = 'An account with this email already exists. Please try logging in instead.'
const wrong = 'Invalid email or password. Please check your credentials and try again.'

function signUpProblem(error: APIError): string {
  if (error.body?.code?.startsWith('USER_ALREADY_EXISTS')) return taken
  return error.body?.message ?? 'Failed to create account. Please try again.'
}

function logInProblem(error: APIError): string {
  if (error.body?.code === 'INVALID_EMAIL_OR_PASSWORD' || error.body?.code === 'INVALID_EMAIL')
    return wrong
  if (error.body?.code === 'EMAIL_NOT_VERIFIED') {
    return 'Please check your email and click the confirmation link before signing in.'
  }
  return error.body?.message ?? 'Login failed. Please try again.'
}

async function cookiesOr(
  call: Promise<{ headers: Headers }>,
  problem: (error: APIError) => string,
): Promise<SignInResult> {
  try {
    return { cookies: (await call).headers.getSetCookie() }
  } catch (error) {
    if (error instanceof APIError && error.statusCode < 500) return { problem: problem(error) }
    throw error
  }
}

/** `headers` are the request's, with the visitor's address put in by the server. */
export function signInFor(auth: Auth, headers: Headers): SignIn {
  const create = ({ name, email, password }: SignUpFields) =>
    auth.api.signUpEmail({ body: { name, email, password }, headers, returnHeaders: true })
  return {
    signUp: (fields) =>
      cookiesOr(
        create(fields).catch((error: unknown) => {
          // Of two sign-ups with one address at once the loser's second try finds the account.
          if (error instanceof APIError && error.body?.code === 'FAILED_TO_CREATE_USER')
            return create(fields)
          throw error
        }),
        signUpProblem,
      ),
    logIn: (body) =>
      cookiesOr(auth.api.signInEmail({ body, headers, returnHeaders: true }), logInProblem),
    logOut: () =>
      cookiesOr(auth.api.signOut({ headers, returnHeaders: true }), () => 'Could not sign out.'),
  }
}
