import { hash, verify } from '@node-rs/argon2'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import {
  emailProblem,
  limits,
  nameProblem,
  passwordProblem,
  readSignUp,
} from '../domains/accounts/rules.ts'
import { identities, sessions, users, verifications } from '../domains/accounts/tables.ts'
import type { Db } from './db.ts'
import type { RateLimits } from './rate-limits.ts'

export type Auth = ReturnType<typeof createAuth>

/** The header in which the server itself puts the visitor's address; what a visitor sends in it is dropped. */
export const addressHeader = 'x-thunder-address'

const tooManyAttempts = (seconds: number) =>
  new APIError('TOO_MANY_REQUESTS', {
    code: 'TOO_MANY_ATTEMPTS',
    message: `Too many attempts. Please try again in ${Math.ceil(seconds / 60)} minutes.`,
  })

const loginKeys = (context: { headers?: Headers; body?: { email?: unknown } }) => {
  const address = context.headers?.get(addressHeader) ?? 'unknown'
  const email = readSignUp({ email: context.body?.email }).email.slice(0, limits.email)
  return { address, account: email, pair: `${email} ${address}` }
}

/**
 * Accounts and sessions, by better-auth. Every way in passes its hooks, so the rules and limits here
 * hold for the pages and for direct calls alike.
 */
export function createAuth(options: {
  db: Db
  secret: string
  appUrl: string
  rateLimits: RateLimits
  /** Called once for each new account, after it is stored. */
  welcome: (userId: string) => Promise<void>
}) {
  const { rateLimits } = options

  /** Counted before the password is looked at, so that guesses sent all at once are as few as others. */
  async function countLogin(keys: ReturnType<typeof loginKeys>) {
    const limited = [
      [rateLimits.loginByAccountAndAddress, keys.pair],
      [rateLimits.loginByAccount, keys.account],
      [rateLimits.loginByAddress, keys.address],
    ] as const
    for (const [index, [limit, key]] of limited.entries()) {
      const seconds = await limit.count(key)
      if (seconds === 0) continue
      await Promise.all(limited.slice(0, index).map(([counted, of]) => counted.takeBack(of)))
      throw tooManyAttempts(seconds)
    }
  }

  return betterAuth({
    appName: 'Thunder',
    baseURL: options.appUrl,
    basePath: '/auth/v1',
    secret: options.secret,
    // A page of this site is trusted under whatever name the site was reached by.
    trustedOrigins: (request) => {
      const host = request?.headers.get('host')
      return host ? [`http://${host}`, `https://${host}`] : []
    },
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: drizzleAdapter(options.db, {
      provider: 'pg',
      transaction: true,
      schema: { user: users, session: sessions, account: identities, verification: verifications },
    }),
    user: {
      fields: { image: 'avatarUrl' },
      additionalFields: {
        role: { type: 'string', input: false, required: false, returned: false },
      },
    },
    session: { expiresIn: 60 * 60 * 24 * 30, updateAge: 60 * 60 },
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 6,
      maxPasswordLength: limits.password,
      // OWASP's first choice: argon2id, 19 MiB, two passes, one lane (the library's default algorithm).
      password: {
        hash: (password) => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
        verify: ({ hash: stored, password }) => verify(stored, password),
      },
    },
    advanced: {
      cookiePrefix: 'thunder',
      useSecureCookies: options.appUrl.startsWith('https:'),
      database: { generateId: false },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    rateLimit: { enabled: false },
    databaseHooks: { user: { create: { after: async (user) => options.welcome(user.id) } } },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        if (context.path === '/sign-up/email') {
          const { name, email, password } = readSignUp(context.body ?? {})
          const problem = nameProblem(name) ?? emailProblem(email) ?? passwordProblem(password)
          if (problem)
            throw new APIError('BAD_REQUEST', { code: 'INVALID_SIGN_UP', message: problem })
          const keys = loginKeys(context)
          const waits = await Promise.all([
            rateLimits.signUpByAddress.count(keys.address),
            rateLimits.signUpByAccount.count(keys.account),
          ])
          const seconds = Math.max(...waits)
          if (seconds > 0) throw tooManyAttempts(seconds)
          return { context: { ...context, body: { name, email, password } } }
        }
        if (context.path === '/sign-in/email') {
          await countLogin(loginKeys(context))
          const { email, password } = readSignUp(context.body ?? {})
          const rememberMe = context.body?.rememberMe !== false
          return { context: { ...context, body: { email, password, rememberMe } } }
        }
        return undefined
      }),
      after: createAuthMiddleware(async (context) => {
        if (context.path !== '/sign-in/email' || context.context.returned instanceof APIError)
          return
        const keys = loginKeys(context)
        await Promise.all([
          rateLimits.loginByAddress.takeBack(keys.address),
          rateLimits.loginByAccount.takeBack(keys.account),
          rateLimits.loginByAccountAndAddress.forget(keys.pair),
        ])
      }),
    },
  })
}
