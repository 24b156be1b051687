import { AsyncLocalStorage } from 'node:async_hooks'
import { isAPIError } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Auth } from '../../server/auth/create-auth.ts'
import { mailCalls } from '../../server/auth/door.ts'
import type { Db } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { users } from './tables.ts'

/** What the call under way could not send: better-auth logs it, and answers as if it had been sent. */
const unsent = new AsyncLocalStorage<unknown[]>()

/** Lets `askForMail` know when a message of its call could not be put in the queue. */
export const noteUnsent = (posting: Promise<void>): Promise<void> =>
  posting.catch((error: unknown) => {
    unsent.getStore()?.push(error)
    throw error
  })

/**
 * Makes the call that somebody asked for: a link, a code, a reset. It runs as a job, so that the answer
 * to the person is the same, and as quick, whether or not there is an account.
 */
export async function askForMail(
  { path, body }: { path: string; body: Record<string, unknown> },
  { auth, db }: Services,
): Promise<void> {
  const name = mailCalls[path as keyof typeof mailCalls]
  const call = auth.api[name] as (input: object) => Promise<unknown>
  const problems: unknown[] = []
  const asking = unsent.run(problems, () => call({ body, headers: new Headers() }))
  await asking.catch((error: unknown) => {
    // Refused: nobody has this address, or it is confirmed already. There is nothing to send.
    if (!isAPIError(error) || error.statusCode >= 500) throw error
  })
  if (problems.length > 0) throw problems[0]
  if (name === 'sendVerificationOTP') await pretendCode(auth, db, body)
}

const codeForOwners = z.object({
  email: z.string(),
  type: z.enum(['email-verification', 'forget-password']),
})

/**
 * An address without an account has a code too, that nobody is told: guesses at it are answered like
 * guesses at a real one, so that they do not tell who has an account.
 */
async function pretendCode(auth: Auth, db: Db, asked: unknown): Promise<void> {
  const { data } = codeForOwners.safeParse(asked)
  if (!data) return
  const known = await db.select({ id: users.id }).from(users).where(eq(users.email, data.email))
  if (known.length === 0) await auth.api.createVerificationOTP({ body: data })
}
