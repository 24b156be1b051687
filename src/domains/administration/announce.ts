import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { countAddressed } from './announcement-audience.ts'
import type { AnnouncementFacts, NewAnnouncement } from './announcement-schema.ts'
import { holdForAct } from './hold-for-act.ts'
import { recordAct } from './record-act.ts'
import { administrativeActs, announcements } from './tables.ts'
import { queueTelling } from './tell-announcement.ts'

/** `actorId` is null for the command line. */
type Announcing = NewAnnouncement & { actorId: string | null }

type Announced = { announcementId: string; people: number }

/** People are told after the commit, by a job. With the same id again nothing is done but answered. */
export async function announce(
  transaction: Transaction,
  { announcementId, actorId, ...facts }: Announcing,
): Promise<Announced | 'not admin' | 'another one'> {
  if (actorId !== null && !(await holdForAct(transaction, actorId))) return 'not admin'
  const made = await transaction
    .insert(announcements)
    .values({ id: announcementId, announcedBy: actorId, ...facts })
    .onConflictDoNothing()
    .returning({ id: announcements.id })
  if (made.length === 0) return announcedBefore(transaction, announcementId, facts)
  const people = await countAddressed(transaction, facts.audience)
  await recordAct(transaction, {
    actorId,
    action: 'announce',
    subject: { kind: 'announcement', id: announcementId, name: facts.title },
    reason: facts.message,
    details: { audience: facts.audience, people },
  })
  await queueTelling(transaction, announcementId)
  return { announcementId, people }
}

/** An old form in another tab can hold the id of what was announced, beside words that were not. */
async function announcedBefore(
  transaction: Transaction,
  announcementId: string,
  { title, message, href, audience }: AnnouncementFacts,
): Promise<Announced | 'another one'> {
  const [stored] = await transaction
    .select({
      title: announcements.title,
      message: announcements.message,
      href: announcements.href,
      audience: announcements.audience,
      details: administrativeActs.details,
    })
    .from(announcements)
    .leftJoin(
      administrativeActs,
      and(
        eq(administrativeActs.subjectKind, 'announcement'),
        eq(administrativeActs.subjectId, announcementId),
      ),
    )
    .where(eq(announcements.id, announcementId))
  const { details, ...said } = stored!
  return isDeepStrictEqual(said, { title, message, href, audience })
    ? { announcementId, people: Number(details?.people ?? 0) }
    : 'another one'
}
