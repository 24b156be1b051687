// What administrators do with a challenge, each with its line in the log.
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { firstFreeName } from '../../server/first-free-name.ts'
import { enqueue } from '../../server/jobs.ts'
import type { Action } from '../administration/rules.ts'
import { recordAct } from '../administration/record-act.ts'
import { slugOf } from '../courses/rules.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { draftVersion } from './draft-version.ts'
import { challengePath } from './rules.ts'
import type { NewChallenge } from './schema.ts'
import { makeSeed, openSeed } from './seed.ts'
import { challenges } from './tables.ts'
import { peopleOf } from './who-entered.ts'

type Challenge = typeof challenges.$inferSelect

/** The challenge, locked; null when it is gone. */
export async function holdChallenge(
  transaction: Transaction,
  challengeId: string,
): Promise<Challenge | null> {
  const [found] = await transaction
    .select()
    .from(challenges)
    .where(eq(challenges.id, challengeId))
    .for('no key update')
  return found ?? null
}

export const record = (
  transaction: Transaction,
  adminId: string,
  action: Action,
  { id, title }: Pick<Challenge, 'id' | 'title'>,
  reason?: string,
) =>
  recordAct(transaction, {
    actorId: adminId,
    action,
    subject: { kind: 'challenge', id, name: title },
    reason,
  })

/** An address for this title; `own` is the challenge that shall have it. */
async function freeSlug(transaction: Transaction, title: string, own?: string): Promise<string> {
  // Who wants one at the same time waits in line here, so that a name that is free stays it.
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('challenge slugs', 0))`,
  )
  return firstFreeName(slugOf(title) || 'challenge', async (candidates) => {
    const taken = await transaction
      .select({ slug: challenges.slug })
      .from(challenges)
      .where(
        and(
          inArray(challenges.slug, candidates),
          own === undefined ? sql`true` : ne(challenges.id, own),
        ),
      )
    return taken.map((row) => row.slug)
  })
}

/** A draft with a seed of its own; answers its id. */
export async function createChallenge(
  transaction: Transaction,
  adminId: string,
  facts: NewChallenge & { sealedSeed: string; seedHash: string },
): Promise<string> {
  const slug = await freeSlug(transaction, facts.title)
  const [made] = await transaction
    .insert(challenges)
    .values({ ...facts, slug })
    .returning({ id: challenges.id, title: challenges.title })
  await record(transaction, adminId, 'create_challenge', made!)
  return made!.id
}

/** 'changed' when somebody saved another one since `version`; then nothing is written. */
export async function updateChallenge(
  transaction: Transaction,
  adminId: string,
  { challengeId, version, ...facts }: NewChallenge & { challengeId: string; version?: string },
): Promise<'updated' | 'gone' | 'not draft' | 'changed'> {
  const challenge = await holdChallenge(transaction, challengeId)
  if (!challenge) return 'gone'
  if (challenge.status !== 'draft') return 'not draft'
  const stored = draftVersion(challenge)
  // What says the same may be an earlier try whose answer was lost.
  const isChanged = version !== undefined && version !== stored && draftVersion(facts) !== stored
  if (isChanged) return 'changed'
  await transaction
    .update(challenges)
    .set({ ...facts, updatedAt: sql`clock_timestamp()` })
    .where(and(eq(challenges.id, challengeId), eq(challenges.status, 'draft')))
  await record(transaction, adminId, 'edit_challenge', { id: challengeId, title: facts.title })
  return 'updated'
}

/** Shows it to everybody, with the hash of its seed, and closes it at its time. */
export async function publishChallenge(
  transaction: Transaction,
  secret: string,
  { adminId, challengeId }: { adminId: string; challengeId: string },
): Promise<'published' | 'gone' | 'not draft' | 'too late'> {
  const challenge = await holdChallenge(transaction, challengeId)
  if (!challenge) return 'gone'
  if (challenge.status !== 'draft') return 'not draft'
  // Nobody has seen the hash of a draft: where its seed cannot be read any more, another one does as well.
  const isReadable = (await openSeed(secret, challenge)) !== null
  const published = await transaction
    .update(challenges)
    .set({
      ...(isReadable ? {} : await makeSeed(secret)),
      // The title may have become another one since.
      slug: await freeSlug(transaction, challenge.title, challengeId),
      status: 'published',
      publishedAt: sql`clock_timestamp()`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(challenges.id, challengeId), sql`${challenges.closesAt} > clock_timestamp()`))
    .returning({ id: challenges.id })
  if (published.length === 0) return 'too late'
  const key = `close challenge ${challengeId}`
  await enqueue(transaction, 'closeChallenge', { challengeId }, key, challenge.closesAt)
  await record(transaction, adminId, 'publish_challenge', challenge)
  return 'published'
}

/**
 * Until it is drawn; the reason is shown on the page of what was published, and told to those who took part. Canceled
 * once more, the first reason stays.
 */
export async function cancelChallenge(
  transaction: Transaction,
  adminId: string,
  { challengeId, reason }: { challengeId: string; reason: string },
): Promise<'canceled' | 'gone' | 'too late'> {
  const challenge = await holdChallenge(transaction, challengeId)
  if (!challenge) return 'gone'
  if (challenge.status === 'canceled') return 'canceled'
  if (challenge.status === 'drawn') return 'too late'
  await transaction
    .update(challenges)
    .set({ status: 'canceled', canceledReason: reason, updatedAt: sql`clock_timestamp()` })
    .where(eq(challenges.id, challengeId))
  await record(transaction, adminId, 'cancel_challenge', challenge, reason)
  await tellPeople(transaction, peopleOf(sql`e.challenge_id = ${challengeId}`), {
    kind: 'challenge_canceled',
    title: `Canceled: ${challenge.title}`,
    message: `No winner is drawn. The reason: ${quoted(reason)}`,
    href: challengePath(challenge.slug),
  })
  return 'canceled'
}
