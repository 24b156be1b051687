import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { planOf } from '../billing/plan.ts'
import { courses } from '../courses/tables.ts'
import { challengeEntries, challenges } from './tables.ts'

/** Locks it, so that it cannot close meanwhile; its id while entries may change. */
async function holdOpen(
  transaction: Transaction,
  slug: string,
): Promise<{ id: string } | 'gone' | 'not open'> {
  const [found] = await transaction
    .select({ id: challenges.id, status: challenges.status })
    .from(challenges)
    .where(and(eq(challenges.slug, slug), isNotNull(challenges.publishedAt)))
    .for('no key update')
  if (!found) return 'gone'
  // The clock after the wait for the lock.
  const [now] = await transaction
    .select({
      isOpen: sql<boolean>`${challenges.opensAt} <= clock_timestamp() and clock_timestamp() < ${challenges.closesAt}`,
    })
    .from(challenges)
    .where(eq(challenges.id, found.id))
  return found.status === 'published' && now!.isOpen ? { id: found.id } : 'not open'
}

/** One course of this person takes part; another one takes its place. */
export async function enterChallenge(
  transaction: Transaction,
  { slug, userId, courseId }: { slug: string; userId: string; courseId: string },
): Promise<'entered' | 'gone' | 'not open' | 'free' | 'no such course'> {
  await holdPeople(transaction, [userId])
  const [course] = await transaction
    .select({ id: courses.id })
    .from(courses)
    .where(
      and(
        eq(courses.id, courseId),
        eq(courses.instructorId, userId),
        eq(courses.status, 'published'),
      ),
    )
    .for('key share')
  const challenge = await holdOpen(transaction, slug)
  if (typeof challenge === 'string') return challenge
  if ((await planOf(transaction, userId)) !== 'pro') return 'free'
  if (!course) return 'no such course'
  await transaction
    .insert(challengeEntries)
    .values({ challengeId: challenge.id, userId, courseId })
    .onConflictDoUpdate({
      target: [challengeEntries.challengeId, challengeEntries.userId],
      set: { courseId },
    })
  return 'entered'
}

/** Nothing of this person takes part any more. */
export async function withdrawEntry(
  transaction: Transaction,
  { slug, userId }: { slug: string; userId: string },
): Promise<'withdrawn' | 'gone' | 'not open'> {
  await holdPeople(transaction, [userId])
  const challenge = await holdOpen(transaction, slug)
  if (typeof challenge === 'string') return challenge
  await transaction
    .delete(challengeEntries)
    .where(and(eq(challengeEntries.challengeId, challenge.id), eq(challengeEntries.userId, userId)))
  return 'withdrawn'
}
