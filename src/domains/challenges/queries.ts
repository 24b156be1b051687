// All that is read about challenges.
import type { Pool } from 'pg'
import { shownUsername } from '../accounts/shown-username.ts'
import { pageCursor, readPageCursor } from '../../server/page-place.ts'
import { draftVersion } from './draft-version.ts'
import { pastShown, phaseOf } from './rules.ts'
import type { AdminChallengeRow, ChallengePageRow, ChallengeSummaryRow } from './schema.ts'
import type { challenges } from './tables.ts'

type Challenge = typeof challenges.$inferSelect
type Entry = ChallengePageRow['entries'][number]
type Found = Challenge & {
  entriesCount: number
  winner: Entry | null
  isPublic: boolean
  at: Date
}

/** A draft that was canceled was never shown to anybody, and is not now. */
const isPublic = 'h.published_at is not null'

/**
 * The entry is `e`; what nobody may look at has no address. Of who has left nothing is told, nor of the course, which
 * may be there still for its members.
 */
const entryFacts = `
  'id', e.id, 'number', e.number, 'name', u.name,
  'username', ${shownUsername('u')},
  'courseTitle', case when u.id is not null then c.title end,
  'courseSlug', case when u.id is not null and c.status = 'published' then c.slug end`
const entryTables = `left join users u on u.id = e.user_id left join courses c on c.id = e.course_id`

const columns = `
  h.id, h.slug, h.kind, h.title, h.rules, h.prize, h.opens_at as "opensAt", h.closes_at as "closesAt",
  h.status, h.seed_hash as "seedHash", h.seed, h.entries_hash as "entriesHash",
  h.winner_number as "winnerNumber", h.canceled_reason as "canceledReason", clock_timestamp() as at,
  ${isPublic} as "isPublic",
  (select count(*)::int from challenge_entries e where e.challenge_id = h.id) as "entriesCount",
  (select json_build_object(${entryFacts}) from challenge_entries e ${entryTables}
    where e.challenge_id = h.id and e.number = h.winner_number) as winner`

const summaryOf = ({ at, ...row }: Found): ChallengeSummaryRow => ({
  ...row,
  phase: phaseOf(row, at),
})

/** For everybody, by what they are now. */
export async function challengeList(pool: Pool) {
  const { rows } = await pool.query<Found>(`
    (select ${columns} from challenges h where h.status = 'published' order by h.closes_at, h.id)
    union all
    (select ${columns} from challenges h where h.status in ('closed', 'drawn', 'canceled') and ${isPublic}
      order by h.closes_at desc, h.id desc limit ${pastShown})`)
  const all = rows.map(summaryOf)
  return {
    open: all.filter(({ phase }) => phase === 'open'),
    coming: all.filter(({ phase }) => phase === 'coming'),
    past: all.filter(({ phase }) => phase !== 'open' && phase !== 'coming'),
  }
}

/** Null for what was never published. */
export async function challengePage(pool: Pool, slug: string): Promise<ChallengePageRow | null> {
  const { rows } = await pool.query<Found>(
    `select ${columns} from challenges h where h.slug = $1 and ${isPublic}`,
    [slug],
  )
  const [found] = rows
  if (!found) return null
  const { rows: frozen } = await pool.query<{ entry: Entry }>(
    `select json_build_object(${entryFacts}) as entry from challenge_entries e ${entryTables}
      where e.challenge_id = $1 and e.number is not null order by e.number`,
    [found.id],
  )
  const { rules, seedHash, seed, entriesHash, canceledReason } = found
  return {
    ...summaryOf(found),
    rules,
    seedHash,
    seed,
    entriesHash,
    canceledReason,
    entries: frozen.map(({ entry }) => entry),
  }
}

/** Null as for the page. */
export async function publicDraw(pool: Pool, slug: string) {
  const { rows } = await pool.query<Challenge>(
    `select h.id, h.title, h.status, h.seed_hash as "seedHash", h.seed,
            h.entries_hash as "entriesHash", h.winner_number as "winnerNumber"
       from challenges h where h.slug = $1 and ${isPublic}`,
    [slug],
  )
  const [found] = rows
  if (!found || found.status === 'draft') return null
  const { rows: entries } = await pool.query<{ number: number; id: string }>(
    `select number, id from challenge_entries
      where challenge_id = $1 and number is not null order by number`,
    [found.id],
  )
  const { title, status, seedHash, seed, entriesHash, winnerNumber } = found
  return { challenge: title, status, seedHash, seed, entriesHash, entries, winnerNumber }
}

/** What this person entered, and could enter; null when there is no such challenge. */
export async function entryOf(pool: Pool, slug: string, userId: string) {
  const { rows } = await pool.query<{
    entry: { courseId: string | null; courseTitle: string | null; isPublished: boolean } | null
    courses: { id: string; title: string }[]
  }>(
    `select (select json_build_object('courseId', e.course_id, 'courseTitle', c.title,
                                      'isPublished', coalesce(c.status = 'published', false))
               from challenge_entries e left join courses c on c.id = e.course_id
              where e.challenge_id = h.id and e.user_id = $2) as entry,
            array(select json_build_object('id', c.id, 'title', c.title) from courses c
                   where c.instructor_id = $2 and c.status = 'published'
                   order by c.title, c.id limit 200) as courses
       from challenges h where h.slug = $1 and ${isPublic}`,
    [slug, userId],
  )
  return rows[0] ?? null
}

const perPage = 20

const adminRow = (found: Found): AdminChallengeRow => {
  const { id, rules, seedHash, entriesHash, canceledReason } = found
  return {
    ...summaryOf(found),
    id,
    rules,
    seedHash,
    entriesHash,
    canceledReason,
    isPublic: found.isPublic,
    version: draftVersion(found),
  }
}

/** For administrators: all of them, those that close last first; null for a cursor of no page. */
export async function allChallenges(pool: Pool, cursor: string | undefined) {
  const from = cursor === undefined ? null : readPageCursor(cursor)
  if (cursor !== undefined && !from) return null
  const { rows } = await pool.query<Found & { place: string }>(
    `select ${columns}, (extract(epoch from h.closes_at) * 1000000)::bigint::text as place
       from challenges h
      ${from ? `where (h.closes_at, h.id) < (timestamptz 'epoch' + $1::bigint * interval '1 microsecond', $2::uuid)` : ''}
      order by h.closes_at desc, h.id desc limit ${perPage + 1}`,
    from ? [from.time, from.id] : [],
  )
  const shown = rows.slice(0, perPage)
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  return {
    challenges: shown.map(adminRow),
    nextCursor: last ? pageCursor({ time: last.place, id: last.id }) : null,
  }
}

export async function anyChallenge(pool: Pool, id: string): Promise<AdminChallengeRow | null> {
  const { rows } = await pool.query<Found>(`select ${columns} from challenges h where h.id = $1`, [
    id,
  ])
  return rows[0] ? adminRow(rows[0]) : null
}

/** `entry` says of which entries more is shown than how many there are. */
const shownOf = (condition: string, entry: string) => `
  select md5(string_agg(concat_ws(' ', h.id, h.updated_at, h.opens_at <= now(), h.closes_at <= now(),
           (select count(*) from challenge_entries e where e.challenge_id = h.id),
           (select md5(string_agg(concat_ws(' ', e.id, e.number, u.id, u.version, c.id, c.version), ','
                                  order by e.id))
              from challenge_entries e ${entryTables} where e.challenge_id = h.id and ${entry})),
         ',' order by h.id)) as version
    from challenges h where ${condition}`

/** Names all that the list shows to a signed-out visitor: of entries their number, and the winner's. */
export async function challengeListVersion(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ version: string | null }>({
    name: 'challenge-list-version',
    text: shownOf(isPublic, 'e.number = h.winner_number'),
  })
  return rows[0]!.version ?? 'none'
}

/** The same of one; null when there is none. */
export async function challengePageVersion(pool: Pool, slug: string): Promise<string | null> {
  const { rows } = await pool.query<{ version: string | null }>({
    name: 'challenge-version',
    text: shownOf(`h.slug = $1 and ${isPublic}`, 'true'),
    values: [slug],
  })
  return rows[0]!.version
}
