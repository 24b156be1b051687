import { APIError } from 'better-auth/api'
import { and, eq } from 'drizzle-orm'
import { limits } from '../../domains/accounts/rules.ts'
import { identities, users } from '../../domains/accounts/tables.ts'
import type { Db } from '../db.ts'

const loginNames = {
  '/sign-in/email': {
    field: 'email',
    column: users.email,
    refusal: { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' },
  },
  '/sign-in/phone-number': {
    field: 'phoneNumber',
    column: users.phoneNumber,
    refusal: {
      code: 'INVALID_PHONE_NUMBER_OR_PASSWORD',
      message: 'Invalid phone number or password',
    },
  },
} as const

/**
 * Refuses who has no password here, after as much work as a wrong password takes: two more statements and
 * one hash. The library's shorter ways would tell by their time who has an account.
 */
export async function refuseUnknownPerson(
  db: Db,
  call: { path?: string; body?: Record<string, unknown> },
  hash: (password: string) => Promise<string>,
): Promise<void> {
  const login = loginNames[call.path as keyof typeof loginNames]
  if (!login) return
  const name = String(call.body?.[login.field])
  const password = String(call.body?.password)
  // Refused before anybody is looked for.
  if (password.length > limits.password) return
  const findPassword = () =>
    db
      .select({ password: identities.password })
      .from(users)
      .innerJoin(
        identities,
        and(eq(identities.userId, users.id), eq(identities.providerId, 'credential')),
      )
      .where(eq(login.column, name))
  const [found] = await findPassword()
  if (found?.password) return
  await findPassword()
  await findPassword()
  await hash(password)
  throw new APIError('UNAUTHORIZED', login.refusal)
}
