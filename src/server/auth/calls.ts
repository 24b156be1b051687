// Which calls of better-auth are open, to whom, and what they may be sent. Everything else is 404.
import * as z from 'zod'
import { isUuid } from '../../domains/courses/access.ts'
import {
  emailProblem,
  isPhoneNumber,
  nameProblem,
  passkeyNameProblem,
  passwordProblem,
  readSignUp,
  returnPath,
} from '../../domains/accounts/rules.ts'

/**
 * - `public`, `signedIn`, `admin`: as everywhere;
 * - `proven`: signed in, and the person has proved within the last minutes who they are.
 */
type AuthAccess = 'public' | 'signedIn' | 'proven' | 'admin'

/** Said to a person in a 400. */
export class BadFields extends Error {}

type Fields = Record<string, unknown>

export interface AuthCall {
  method: 'GET' | 'POST'
  /** Below /auth/v1; `:name` stands for one part. */
  path: string
  access: AuthAccess
  /** For a call that does more than its access allows when asked to: then it needs a proof. */
  provenIf?: (body: Fields) => boolean
  /** Takes from the body what the call needs; without it the library's own check decides. */
  read?: (body: Fields) => Fields
  /**
   * `login`: wrong answers are counted; `signUp`: counted; `code`: wrong guesses are counted per address;
   * `beginning`: of a way through another service or a wallet, where nothing is guessed: counted per address; `mail`: done by a job, so that the answer tells nothing about who has an account.
   */
  kind?: 'login' | 'signUp' | 'code' | 'beginning' | 'mail'
  /** For a call that is a guess only with some bodies: then it is one of kind `code`. */
  guessIf?: (body: Fields) => boolean
  /** Also for who is suspended; of the public calls all are. */
  whileSuspended?: boolean
}

function must(problem: string | null): void {
  if (problem) throw new BadFields(problem)
}

const text = (value: unknown) => readSignUp({ password: value }).password

function emailIn(body: Fields): string {
  const { email } = readSignUp({ email: body.email })
  must(emailProblem(email))
  return email
}

function phoneIn(body: Fields): string {
  const phoneNumber = text(body.phoneNumber).replace(/[\s().-]/g, '')
  if (!isPhoneNumber(phoneNumber)) {
    throw new BadFields('Please enter a telephone number that starts with + and the country')
  }
  return phoneNumber
}

/** Where a mailed link leads in the end: a page of this site. */
const callbackIn = (body: Fields): { callbackURL?: string } =>
  body.callbackURL === undefined ? {} : { callbackURL: returnPath(body.callbackURL) }

const newPasswordIn = (value: unknown) => {
  const password = text(value)
  must(passwordProblem(password))
  return password
}

/** With the password, for accounts that have one; wrong ones are counted as at a log-in. */
const passwordIfAny = (body: Fields) =>
  body.password === undefined ? {} : { password: text(body.password) }

const passkeyNameIn = (value: unknown) => {
  const { name } = readSignUp({ name: value })
  must(passkeyNameProblem(name))
  return name
}

const codePurpose = z.enum(['sign-in', 'email-verification', 'forget-password']).catch('sign-in')

const remember = (body: Fields) => ({ rememberMe: body.rememberMe !== false })

const fieldsIn = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined

/**
 * An organisation's provider. There are no organisations here, people's names and addresses stay their
 * own, and what a SAML provider says about a person has to be signed.
 */
function ssoProviderIn(fields: Fields): Fields {
  const saml = fieldsIn(fields.samlConfig)
  const oidc = fieldsIn(fields.oidcConfig)
  return {
    ...fields,
    organizationId: undefined,
    overrideUserInfo: undefined,
    ...(saml ? { samlConfig: { ...saml, wantAssertionsSigned: true } } : {}),
    ...(oidc ? { oidcConfig: { ...oidc, overrideUserInfo: false } } : {}),
  }
}

function passkeyIdIn(value: unknown): string {
  if (!isUuid(value)) throw new BadFields('There is no such passkey')
  return value
}

export const authCalls: AuthCall[] = [
  // Sign-up and log-in with a password.
  {
    method: 'POST',
    path: '/sign-up/email',
    access: 'public',
    kind: 'signUp',
    read: (body) => {
      const { name, email, password } = readSignUp(body)
      must(nameProblem(name) ?? emailProblem(email) ?? passwordProblem(password))
      return { name, email, password, ...callbackIn(body) }
    },
  },
  {
    method: 'POST',
    path: '/sign-in/email',
    access: 'public',
    kind: 'login',
    read: (body) => {
      const { email, password } = readSignUp(body)
      return { email, password, ...remember(body) }
    },
  },
  {
    method: 'POST',
    path: '/sign-in/phone-number',
    access: 'public',
    kind: 'login',
    read: (body) => ({
      phoneNumber: phoneIn(body),
      password: text(body.password),
      ...remember(body),
    }),
  },
  { method: 'POST', path: '/sign-out', access: 'public', read: () => ({}) },

  // Codes and links, by mail or telephone.
  {
    method: 'POST',
    path: '/sign-in/magic-link',
    access: 'public',
    kind: 'mail',
    read: (body) => ({ email: emailIn(body), ...callbackIn(body) }),
  },
  { method: 'GET', path: '/magic-link/verify', access: 'public', kind: 'code' },
  {
    method: 'POST',
    path: '/email-otp/send-verification-otp',
    access: 'public',
    kind: 'mail',
    read: (body) => ({ email: emailIn(body), type: codePurpose.parse(body.type) }),
  },
  {
    method: 'POST',
    path: '/sign-in/email-otp',
    access: 'public',
    kind: 'code',
    read: (body) => ({ email: emailIn(body), otp: text(body.otp) }),
  },
  {
    method: 'POST',
    path: '/email-otp/verify-email',
    access: 'public',
    kind: 'code',
    read: (body) => ({ email: emailIn(body), otp: text(body.otp) }),
  },
  {
    method: 'POST',
    path: '/email-otp/reset-password',
    access: 'public',
    kind: 'code',
    read: (body) => ({
      email: emailIn(body),
      otp: text(body.otp),
      password: newPasswordIn(body.password),
    }),
  },
  {
    method: 'POST',
    path: '/phone-number/send-otp',
    access: 'public',
    kind: 'mail',
    read: (body) => ({ phoneNumber: phoneIn(body) }),
  },
  {
    method: 'POST',
    path: '/phone-number/verify',
    access: 'public',
    kind: 'code',
    read: (body) => ({
      phoneNumber: phoneIn(body),
      code: text(body.code),
      updatePhoneNumber: body.updatePhoneNumber === true,
    }),
    provenIf: (body) => body.updatePhoneNumber === true,
  },
  {
    method: 'POST',
    path: '/phone-number/request-password-reset',
    access: 'public',
    kind: 'mail',
    read: (body) => ({ phoneNumber: phoneIn(body) }),
  },
  {
    method: 'POST',
    path: '/phone-number/reset-password',
    access: 'public',
    kind: 'code',
    read: (body) => ({
      phoneNumber: phoneIn(body),
      otp: text(body.otp),
      newPassword: newPasswordIn(body.newPassword),
    }),
  },

  // Confirmation and recovery.
  {
    method: 'POST',
    path: '/send-verification-email',
    access: 'public',
    kind: 'mail',
    read: (body) => ({ email: emailIn(body), ...callbackIn(body) }),
  },
  { method: 'GET', path: '/verify-email', access: 'public', kind: 'code' },
  {
    method: 'POST',
    path: '/request-password-reset',
    access: 'public',
    kind: 'mail',
    read: (body) => {
      const { callbackURL: redirectTo } = callbackIn(body)
      return { email: emailIn(body), ...(redirectTo && { redirectTo }) }
    },
  },
  {
    method: 'POST',
    path: '/reset-password',
    access: 'public',
    kind: 'code',
    read: (body) => ({
      token: text(body.token),
      newPassword: newPasswordIn(body.newPassword),
    }),
  },

  // Other services and wallets.
  {
    method: 'POST',
    path: '/sign-in/social',
    access: 'public',
    kind: 'beginning',
    guessIf: ({ idToken }) => idToken !== undefined,
  },
  { method: 'GET', path: '/callback/:id', access: 'public' },
  { method: 'POST', path: '/siwe/nonce', access: 'public', kind: 'beginning', read: () => ({}) },
  { method: 'POST', path: '/siwe/verify', access: 'public', kind: 'code' },
  {
    method: 'POST',
    path: '/sign-in/sso',
    access: 'public',
    kind: 'beginning',
    read: (body) => ({ callbackURL: '/dashboard', ...body, organizationSlug: undefined }),
  },
  { method: 'GET', path: '/sso/callback/:providerId', access: 'public' },
  { method: 'GET', path: '/sso/callback', access: 'public' },
  { method: 'GET', path: '/sso/saml2/sp/metadata', access: 'public' },
  { method: 'GET', path: '/sso/saml2/sp/acs/:providerId', access: 'public' },
  { method: 'POST', path: '/sso/saml2/sp/acs/:providerId', access: 'public' },
  { method: 'POST', path: '/sso/register', access: 'admin', read: ssoProviderIn },
  { method: 'GET', path: '/sso/providers', access: 'admin' },
  { method: 'POST', path: '/sso/update-provider', access: 'admin', read: ssoProviderIn },
  { method: 'POST', path: '/sso/delete-provider', access: 'admin' },
  { method: 'POST', path: '/link-social', access: 'proven' },
  { method: 'GET', path: '/list-accounts', access: 'signedIn' },
  { method: 'POST', path: '/unlink-account', access: 'proven' },

  // Passkeys and the second step.
  { method: 'GET', path: '/passkey/generate-register-options', access: 'proven' },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    access: 'proven',
    read: ({ response, name }) => ({ response, name: passkeyNameIn(name ?? 'Passkey') }),
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', access: 'public' },
  { method: 'POST', path: '/passkey/verify-authentication', access: 'public', kind: 'code' },
  { method: 'GET', path: '/passkey/list-user-passkeys', access: 'signedIn' },
  {
    method: 'POST',
    path: '/passkey/update-passkey',
    access: 'signedIn',
    read: ({ id, name }) => ({ id: passkeyIdIn(id), name: passkeyNameIn(name) }),
  },
  {
    method: 'POST',
    path: '/passkey/delete-passkey',
    access: 'proven',
    read: ({ id }) => ({ id: passkeyIdIn(id) }),
  },
  {
    method: 'POST',
    path: '/two-factor/enable',
    access: 'proven',
    kind: 'login',
    read: passwordIfAny,
  },
  {
    method: 'POST',
    path: '/two-factor/get-totp-uri',
    access: 'proven',
    kind: 'login',
    read: passwordIfAny,
  },
  { method: 'POST', path: '/two-factor/verify-totp', access: 'public', kind: 'code' },
  { method: 'POST', path: '/two-factor/verify-backup-code', access: 'public', kind: 'code' },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    access: 'proven',
    kind: 'login',
    read: passwordIfAny,
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    access: 'proven',
    kind: 'login',
    read: passwordIfAny,
  },

  // The session, the account, and tokens for other programs.
  { method: 'GET', path: '/get-session', access: 'public' },
  { method: 'GET', path: '/list-sessions', access: 'signedIn', whileSuspended: true },
  {
    method: 'POST',
    path: '/revoke-other-sessions',
    access: 'signedIn',
    whileSuspended: true,
    read: () => ({}),
  },
  {
    method: 'POST',
    path: '/revoke-sessions',
    access: 'signedIn',
    whileSuspended: true,
    read: () => ({}),
  },
  {
    method: 'POST',
    path: '/verify-password',
    access: 'signedIn',
    whileSuspended: true,
    kind: 'login',
    read: (body) => ({ password: text(body.password) }),
  },
  {
    method: 'POST',
    path: '/change-password',
    access: 'signedIn',
    whileSuspended: true,
    kind: 'login',
    read: (body) => {
      const newPassword = text(body.newPassword)
      if (newPassword.length < 6) {
        throw new BadFields('New password must be at least 6 characters long')
      }
      must(passwordProblem(newPassword))
      return {
        currentPassword: text(body.currentPassword),
        newPassword,
        revokeOtherSessions: body.revokeOtherSessions !== false,
      }
    },
  },
  {
    method: 'POST',
    path: '/change-email',
    access: 'proven',
    kind: 'signUp',
    read: (body) => ({ newEmail: emailIn({ email: body.newEmail }) }),
  },
  {
    method: 'POST',
    path: '/update-user',
    access: 'signedIn',
    read: (body) => {
      const { name } = readSignUp({ name: body.name })
      must(nameProblem(name))
      return { name }
    },
  },
  { method: 'GET', path: '/token', access: 'signedIn' },
  { method: 'GET', path: '/.well-known/jwks.json', access: 'public' },
]

const patterns = authCalls.map((call) => ({
  call,
  // The parts are identifiers; a dot stands for itself.
  pattern: new RegExp(`^${call.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
}))

/** The open call of this method and path (below /auth/v1), or undefined. */
export function findAuthCall(method: string, path: string): AuthCall | undefined {
  return patterns.find(({ call, pattern }) => call.method === method && pattern.test(path))?.call
}
