import { eq } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { switches } from './kinds.ts'
import { preferencesOf, savePreferences } from './preferences.ts'
import type { Preferences } from './rules.ts'
import type { MailScope, Subscription } from './unsubscribe-token.ts'

const inScope = (scope: MailScope, preferences: Preferences) =>
  switches.filter((name) =>
    scope === 'daily'
      ? preferences[name].email === 'daily'
      : name === scope && preferences[name].email !== 'off',
  )

/** Which switches still send the mails that the link stops; null when the person has no account any more. */
export async function subscribedTo(executor: Executor, { userId, scope }: Subscription) {
  const found = await executor.select({ id: users.id }).from(users).where(eq(users.id, userId))
  if (found.length === 0) return null
  return inScope(scope, await preferencesOf(executor, userId))
}

/** Stops these mails; what is shown under the bell stays. Twice is harmless. False when the account is gone. */
export async function unsubscribe(
  transaction: Transaction,
  { userId, scope }: Subscription,
): Promise<boolean> {
  // So that the account does not go meanwhile.
  const found = await transaction
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, userId))
    .for('key share')
  if (found.length === 0) return false
  const preferences = await preferencesOf(transaction, userId)
  const stopped = inScope(scope, preferences).map((name) => [name, { email: 'off' }])
  await savePreferences(transaction, userId, Object.fromEntries(stopped))
  return true
}
