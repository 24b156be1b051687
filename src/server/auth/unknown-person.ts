import { APIError } from 'better-auth/api'
import { and, eq } from 'drizzle-orm'
import { limits } from '../../domains/accounts/rules.ts'
import { identities, users } from '../../domains/accounts/tables.ts'
import type { Db } from '../db.ts'

/**
 * Refuses at a log-in by telephone number who has no password here, after as much work as a wrong password takes: two
 * more statements and one hash. The library's shorter ways would tell by their time who has an account; those of a
 * log-in by email address are as long as each other.
 */
export async function refuseUnknownPerson(
  db: Db,
  call: { path?: string; body?: Record<string, unknown> },
  hash: (password: string) => Promise<string>,
): Promise<void> {
  if (call.path !== '/sign-in/phone-number') return
  const phoneNumber = String(call.body?.phoneNumber)
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
      .where(eq(users.phoneNumber, phoneNumber))
  const [found] = await findPassword()
  if (found?.password) return
  await findPassword()
  await findPassword()
  await hash(password)
  throw new APIError('UNAUTHORIZED', {
    code: 'INVALID_PHONE_NUMBER_OR_PASSWORD',
    message: 'Invalid phone number or password',
  })
}
