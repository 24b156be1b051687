import { count, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { drawNumber } from './draw.ts'
import { challengePath } from './rules.ts'
import { holdChallenge, record } from './run-challenge.ts'
import { openSeed } from './seed.ts'
import { challengeEntries, challenges } from './tables.ts'
import { peopleOf } from './who-entered.ts'

/** Draws once: whoever comes second finds the winner. All that took part are told. */
export async function drawChallenge(
  transaction: Transaction,
  secret: string,
  { adminId, challengeId }: { adminId: string; challengeId: string },
): Promise<'drawn' | 'gone' | 'not closed' | 'no entries' | 'seed unreadable'> {
  const challenge = await holdChallenge(transaction, challengeId)
  if (!challenge) return 'gone'
  if (challenge.status === 'drawn') return 'drawn'
  if (challenge.status !== 'closed' || challenge.entriesHash === null) return 'not closed'
  const [counted] = await transaction
    .select({ total: count(challengeEntries.number) })
    .from(challengeEntries)
    .where(eq(challengeEntries.challengeId, challengeId))
  const { total } = counted!
  if (total === 0) return 'no entries'
  const seed = await openSeed(secret, challenge)
  if (seed === null) return 'seed unreadable'
  const winnerNumber = drawNumber(seed, challenge.entriesHash, total)
  await transaction
    .update(challenges)
    .set({
      status: 'drawn',
      seed,
      winnerNumber,
      drawnAt: sql`clock_timestamp()`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(eq(challenges.id, challengeId))
  await record(transaction, adminId, 'draw_challenge', challenge)
  const people = (isWinner: boolean) =>
    peopleOf(sql`e.challenge_id = ${challengeId} and (e.number = ${winnerNumber}) = ${isWinner}`)
  const href = challengePath(challenge.slug)
  await tellPeople(transaction, people(true), {
    kind: 'challenge_won',
    title: `You have won: ${challenge.title}`,
    message: `Your entry was drawn. The prize: ${challenge.prize}. We get in touch with you about it.`,
    href,
  })
  await tellPeople(transaction, people(false), {
    kind: 'challenge_drawn',
    title: `The winner was drawn: ${challenge.title}`,
    message: 'It was another entry this time. The page shows who won, and how to draw again.',
    href,
  })
  return 'drawn'
}
