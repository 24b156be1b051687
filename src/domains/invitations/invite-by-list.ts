import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { enqueueEach, laterThanOthers } from '../../server/jobs.ts'
import { newCode } from './make-link.ts'
import { addressesInvited, addressesOfMembers, isUsedUp } from './queries.ts'
import type { ListEntry } from './read-address-list.ts'
import { type Verdict, verdicts } from './rules.ts'
import { courseInvitations } from './tables.ts'

interface JudgedEntry {
  line: number
  text: string
  verdict: Verdict
}

/** Says of each line what becomes of it; whether an address has an account makes no difference. */
export async function judgeList(
  executor: Executor,
  course: { courseId: string; ownAddress: string },
  entries: ListEntry[],
): Promise<JudgedEntry[]> {
  const { courseId, ownAddress } = course
  const addresses = [...new Set(entries.flatMap(({ address }) => address ?? []))]
  if (addresses.length === 0) {
    return entries.map(({ line, text }) => ({ line, text, verdict: 'invalid' }))
  }
  const members = await addressesOfMembers(executor, courseId, addresses)
  const invited = await addressesInvited(executor, courseId, addresses)
  const seen = new Set<string>()
  return entries.map(({ line, text, address }) => {
    const verdict = verdictOn(address)
    if (address !== null) seen.add(address)
    return { line, text, verdict }
  })

  function verdictOn(address: string | null): Verdict {
    if (address === null) return 'invalid'
    if (seen.has(address)) return 'repeated'
    if (address === ownAddress.toLowerCase()) return 'self'
    if (members.has(address)) return 'member'
    return invited.has(address) ? 'invited' : 'invite'
  }
}

export function countVerdicts(entries: JudgedEntry[]): Record<Verdict, number> {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0]))
  for (const { verdict } of entries) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts as Record<Verdict, number>
}

/** One invitation and one mail for each of these addresses; the mails go when the transaction commits. */
export async function inviteAddresses(
  transaction: Transaction,
  courseId: string,
  addresses: string[],
): Promise<void> {
  if (addresses.length === 0) return
  await putAwayUsed(transaction, courseId, addresses)
  const made = await transaction
    .insert(courseInvitations)
    .values(addresses.map((email) => ({ courseId, email, code: newCode(), maxUses: 1 })))
    .onConflictDoNothing()
    .returning({ invitationId: courseInvitations.id })
  await enqueueEach(transaction, 'inviteByMail', made, laterThanOthers)
}

/** Who joined by a mail and has left can be sent another: what they came by makes room for it. */
async function putAwayUsed(
  transaction: Transaction,
  courseId: string,
  addresses: string[],
): Promise<void> {
  await transaction
    .update(courseInvitations)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(courseInvitations.courseId, courseId),
        inArray(courseInvitations.email, addresses),
        isNull(courseInvitations.revokedAt),
        isUsedUp,
      ),
    )
}
