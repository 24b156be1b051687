import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import type { Db, Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { bellHolds } from './bell-schema.ts'
import { notifications } from './tables.ts'

interface Shown {
  userId: string
  shown: string[]
}

const ofPerson = (userId: string) =>
  and(eq(notifications.userId, userId), eq(notifications.inApp, true))

/**
 * The shown notices and, of a full bell, all that are older (see `shownNotices`), of those that `which` names, locked
 * in one order, so that two tabs never wait for each other. None when no shown one is there any more.
 */
function shownOrOlder(transaction: Transaction, which: SQL | undefined, { userId, shown }: Shown) {
  const isOlder = sql`(${notifications.createdAt}, ${notifications.id}) < (
    select s.created_at, s.id from ${notifications} s
     where s.user_id = ${userId} and s.in_app and ${inArray(sql`s.id`, shown)}
     order by s.created_at, s.id limit 1)`
  const found = transaction
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        which,
        or(
          inArray(notifications.id, shown),
          // A bell with room has shown all that there was: what is older was committed later.
          shown.length < bellHolds ? undefined : isOlder,
        ),
      ),
    )
    .orderBy(notifications.id)
    .for('update')
  return inArray(notifications.id, found)
}

/** The person's other tabs follow when the transaction commits. */
async function tellTabs(transaction: Transaction, userId: string, changed: unknown[]) {
  if (changed.length > 0) await publishToPerson(transaction, userId, { type: 'notification' })
}

/** Those that were read before are neither changed nor locked, however many they are. */
const unreadOf = (userId: string) => and(ofPerson(userId), eq(notifications.read, false))

export async function readNotices(
  transaction: Transaction,
  userId: string,
  shown: string[],
): Promise<void> {
  const unread = unreadOf(userId)
  await setRead(transaction, userId, shownOrOlder(transaction, unread, { userId, shown }))
}

/** Those that lead to this place, or to one thing in it. Mostly there are none: that is one statement. */
export async function readNoticesAbout(db: Db, userId: string, about: string): Promise<void> {
  const { id, href } = notifications
  const leadThere = or(eq(href, about), sql`starts_with(${href}, ${`${about}&`}::text)`)
  const unreadThere = and(unreadOf(userId), leadThere)
  const [first] = await db.select({ id }).from(notifications).where(unreadThere).limit(1)
  if (!first) return
  await db.transaction((transaction) => {
    const found = transaction.select({ id }).from(notifications).where(unreadThere)
    const inOneOrder = found.orderBy(id).for('update')
    return setRead(transaction, userId, inArray(id, inOneOrder))
  })
}

async function setRead(transaction: Transaction, userId: string, which: SQL): Promise<void> {
  await holdPeople(transaction, [userId])
  const changed = await transaction
    .update(notifications)
    .set({ read: true })
    .where(and(unreadOf(userId), which))
    .returning({ id: notifications.id })
  await tellTabs(transaction, userId, changed)
}

export async function clearNotices(
  transaction: Transaction,
  userId: string,
  shown: string[],
): Promise<void> {
  await holdPeople(transaction, [userId])
  const changed = await transaction
    .delete(notifications)
    .where(and(ofPerson(userId), shownOrOlder(transaction, ofPerson(userId), { userId, shown })))
    .returning({ id: notifications.id })
  await tellTabs(transaction, userId, changed)
}

/** Twice is harmless. */
export async function deleteNotice(
  transaction: Transaction,
  userId: string,
  id: string,
): Promise<void> {
  const changed = await transaction
    .delete(notifications)
    .where(and(ofPerson(userId), eq(notifications.id, id)))
    .returning({ id: notifications.id })
  await tellTabs(transaction, userId, changed)
}
