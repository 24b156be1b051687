import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { openLinks } from './queries.ts'
import { invitationLimits } from './rules.ts'
import type { NewLink } from './schema.ts'
import { courseInvitations } from './tables.ts'

/** 128 bits: nobody comes by one by guessing. */
export const newCode = () => randomBytes(16).toString('base64url')

/** Null when the course, which the caller locked, has as many open links as it may have. */
export async function makeLink(transaction: Transaction, link: NewLink) {
  const { courseId, maxUses = null, expiresInDays } = link
  if ((await openLinks(transaction, courseId)) >= invitationLimits.openLinks) return null
  const [made] = await transaction
    .insert(courseInvitations)
    .values({
      courseId,
      code: newCode(),
      maxUses,
      expiresAt: expiresInDays ? sql`now() + make_interval(days => ${expiresInDays}::int)` : null,
    })
    .returning()
  return made!
}

/** False when the course has no such invitation. The first time is kept. */
export async function revokeInvitation(
  executor: Executor,
  { courseId, invitationId }: { courseId: string; invitationId: string },
): Promise<boolean> {
  const known = and(
    eq(courseInvitations.id, invitationId),
    eq(courseInvitations.courseId, courseId),
  )
  await executor
    .update(courseInvitations)
    .set({ revokedAt: sql`now()` })
    .where(and(known, isNull(courseInvitations.revokedAt)))
  const rows = await executor
    .select({ id: courseInvitations.id })
    .from(courseInvitations)
    .where(known)
  return rows.length === 1
}
