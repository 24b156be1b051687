import { and, eq, isNull, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { notify } from '../notifications/notify.ts'
import { certificatePath } from './rules.ts'
import { certificates, revokedCredentials } from './tables.ts'

interface Revocation {
  courseId: string
  certificateId: string
  reason: string
  revokedBy: string
}

/** For good. Null when the course has no such certificate; revoking twice changes nothing. */
export async function revokeCertificate(
  transaction: Transaction,
  { courseId, certificateId, reason, revokedBy }: Revocation,
): Promise<'revoked' | 'was revoked' | null> {
  const which = and(eq(certificates.id, certificateId), eq(certificates.courseId, courseId))
  // People before what is theirs: an account that goes at this moment waits, or is waited for.
  await transaction.execute(sql`
    select id from users
     where id = ${revokedBy} or id in (select user_id from certificates where id = ${certificateId})
     order by id for key share`)
  const [revoked] = await transaction
    .update(certificates)
    .set({ revokedAt: sql`now()`, revokedReason: reason, revokedBy })
    .where(and(which, isNull(certificates.revokedAt)))
    .returning({ userId: certificates.userId, courseTitle: certificates.courseTitle })
  if (!revoked) {
    const [known] = await transaction
      .select({ id: certificates.id })
      .from(certificates)
      .where(which)
    return known ? 'was revoked' : null
  }
  await transaction.insert(revokedCredentials).values({ id: certificateId }).onConflictDoNothing()
  await notify(transaction, {
    userId: revoked.userId,
    kind: 'certificate_revoked',
    title: 'A certificate of yours was revoked',
    message: `${quoted(revoked.courseTitle)}: ${reason}`,
    href: certificatePath(certificateId),
  })
  return 'revoked'
}
