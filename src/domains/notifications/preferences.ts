import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { type Switch, switches } from './kinds.ts'
import {
  defaultPreferences,
  kindsOf,
  type Preference,
  type PreferenceChanges,
  type Preferences,
} from './rules.ts'
import { notificationPreferences, notifications } from './tables.ts'

/** What holds for this person now. */
export async function preferencesOf(executor: Executor, userId: string): Promise<Preferences> {
  const rows = await executor
    .select({
      name: notificationPreferences.switch,
      inApp: notificationPreferences.inApp,
      email: notificationPreferences.email,
    })
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userId))
  const chosen = Object.fromEntries(rows.map(({ name, ...preference }) => [name, preference]))
  const pairs = switches.map((name) => [name, chosen[name] ?? defaultPreferences[name]])
  return Object.fromEntries(pairs) as Preferences
}

/** Stores what a person wants from now on, and forgets mails that the person does not want any more. */
export async function savePreferences(
  transaction: Transaction,
  userId: string,
  changes: PreferenceChanges,
): Promise<void> {
  const naming = (part: keyof Preference) =>
    switches.filter((name) => changes[name]?.[part] !== undefined)
  const [inApp, email] = [naming('inApp'), naming('email')]
  // In one order, so that two who save at once wait in line.
  const rows = switches
    .filter((name) => inApp.includes(name) || email.includes(name))
    .map((name) => ({
      userId,
      switch: name,
      inApp: changes[name]?.inApp ?? defaultPreferences[name].inApp,
      email: changes[name]?.email ?? defaultPreferences[name].email,
    }))
  if (rows.length === 0) return
  const named = (names: Switch[]) => sql`excluded.switch = any(${sql.param(names)}::text[])`
  await transaction
    .insert(notificationPreferences)
    .values(rows)
    .onConflictDoUpdate({
      target: [notificationPreferences.userId, notificationPreferences.switch],
      set: {
        inApp: sql`case when ${named(inApp)} then excluded.in_app else ${notificationPreferences.inApp} end`,
        email: sql`case when ${named(email)} then excluded.email else ${notificationPreferences.email} end`,
      },
    })
  const off = switches.filter((name) => changes[name]?.email === 'off')
  await forgetWaitingMails(transaction, userId, off)
}

async function forgetWaitingMails(transaction: Transaction, userId: string, off: Switch[]) {
  const kinds = off.flatMap(kindsOf)
  if (kinds.length === 0) return
  const waiting = and(eq(notifications.userId, userId), inArray(notifications.kind, kinds))
  await transaction.delete(notifications).where(and(waiting, eq(notifications.inApp, false)))
  await transaction
    .update(notifications)
    .set({ digestDue: false })
    .where(and(waiting, eq(notifications.digestDue, true)))
}
