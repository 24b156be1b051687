import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { closedInvitation, invitationState, isCode } from './rules.ts'
import { courseInvitations } from './tables.ts'

type Held = { id: string; closed?: undefined } | { id?: undefined; closed: string }

/**
 * The invitation by which somebody is about to join a course, locked until the transaction ends so that
 * its uses are counted exactly; or why nobody comes by it, in words. Null for who comes without one. The
 * course is locked already.
 */
export async function holdInvitation(
  transaction: Transaction,
  { courseId, code }: { courseId: string; code: string | undefined },
): Promise<Held | null> {
  if (code === undefined) return null
  if (!isCode(code)) return { closed: closedInvitation.unknown }
  const [invitation] = await transaction
    .select()
    .from(courseInvitations)
    .where(and(eq(courseInvitations.code, code), eq(courseInvitations.courseId, courseId)))
    .for('no key update')
  if (!invitation) return { closed: closedInvitation.unknown }
  const state = invitationState(invitation, new Date())
  return state === 'open' ? { id: invitation.id } : { closed: closedInvitation[state] }
}

/** Counts one who joined by an invitation that `holdInvitation` holds. */
export async function countUse(transaction: Transaction, invitationId: string): Promise<void> {
  await transaction
    .update(courseInvitations)
    .set({ usesCount: sql`${courseInvitations.usesCount} + 1` })
    .where(eq(courseInvitations.id, invitationId))
}

/**
 * Counts one who came by this invitation while it was open, and is let in only now: by a payment that had begun,
 * or by an application. Also when it was closed or used up meanwhile: whoever paid or was approved is let in
 * all the same, and the number says how many came by it. The course is locked already. Answers with the
 * invitation, or null when it is gone.
 */
export async function countKeptUse(
  transaction: Transaction,
  { invitationId, courseId }: { invitationId: string; courseId: string },
): Promise<string | null> {
  const [used] = await transaction
    .update(courseInvitations)
    .set({ usesCount: sql`${courseInvitations.usesCount} + 1` })
    .where(and(eq(courseInvitations.id, invitationId), eq(courseInvitations.courseId, courseId)))
    .returning({ id: courseInvitations.id })
  return used?.id ?? null
}
