import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { tellProviderOf } from '../payments/customer-facts.ts'
import { mayTakeUsername } from './claim-username.ts'
import { myProfile } from './queries.ts'
import type { MyProfile, ProfileUpdate } from './schema.ts'
import { users } from './tables.ts'

/**
 * Changes what is set. 'changed' when somebody saved since `version`, 'taken' when another person has the
 * username; then nothing is written.
 */
export async function updateProfile(
  transaction: Transaction,
  userId: string,
  { version, social, ...update }: ProfileUpdate,
): Promise<MyProfile | 'changed' | 'taken'> {
  // A new username is a new key: with less than this, renaming and joining could wait for each other.
  await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const before = await myProfile(transaction, userId)
  if (before.version !== version) {
    // An earlier try whose answer was lost.
    return saysAlready(before, { ...update, social }) ? before : 'changed'
  }
  const { username } = update
  const renames = username !== undefined && username !== before.username
  if (renames && !(await mayTakeUsername(transaction, userId, username))) return 'taken'
  const socialLinks = Object.fromEntries(
    Object.entries({ ...before.social, ...social }).filter(([, value]) => value !== ''),
  )
  await transaction
    .update(users)
    .set({ ...update, socialLinks, updatedAt: sql`now()` })
    .where(eq(users.id, userId))
  if (update.name !== undefined && update.name !== before.name) {
    await tellProviderOf(transaction, userId)
  }
  return myProfile(transaction, userId)
}

function saysAlready(
  stored: MyProfile,
  { social = {}, ...update }: Omit<ProfileUpdate, 'version'>,
): boolean {
  const links: Record<string, string | undefined> = stored.social
  return (
    Object.entries(update).every(([name, value]) => stored[name as keyof MyProfile] === value) &&
    Object.entries(social).every(([name, address]) => (links[name] ?? '') === address)
  )
}
