// A write of a member, with the check of access, the counters and the event, beside a bare durable insert.
import type { Client } from 'pg'
import { checkAll, type Expected } from './check-answer.ts'
import { burst } from './load.ts'
import { type Row, whole } from './row.ts'
import { cookieOf, idNumbered, lessonNumber, type Place, placeOf, type Size } from './seed-many.ts'
import {
  type Case,
  casesOf,
  measure,
  type Measured,
  type Measuring,
  middle,
  ratio,
  sampleOf,
  targetOf,
} from './throughput.ts'

const writers = 6400
/** So many are done before the first of them is undone: each request is a write. */
const block = 64

const firstPost = 30_000_000

/** One post in each course that has lessons. */
async function seedPosts(client: Client, { taught }: Size): Promise<void> {
  await client.query(
    `insert into posts (id, course_id, user_id, content)
     select ('00000000-0000-7000-8000-' || lpad(to_hex(${firstPost} + n), 12, '0'))::uuid, c.id, c.instructor_id, 'A post'
       from generate_series(1, ${taught}) n join courses c on c.slug = 'bench-course-' || n`,
  )
  await client.query('vacuum analyze posts')
}

/** Done by 64, undone by the same 64, and so on. */
function inBlocks(places: Place[], requestOf: (place: Place, done: boolean) => Expected) {
  const blocks = Array.from({ length: Math.ceil(places.length / block) }, (_, at) =>
    places.slice(at * block, (at + 1) * block),
  )
  return blocks.flatMap((some) =>
    [true, false].flatMap((done) => some.map((place) => requestOf(place, done))),
  )
}

function writesOf(measuring: Measuring) {
  const { thunder, size, secret } = measuring
  const places = Array.from({ length: writers }, (_, at) => placeOf(at + 1, size))
  const cookie = ({ person }: Place) => cookieOf(person, secret)
  return {
    bare: casesOf(measuring).barePosition,
    like: {
      name: 'a post liked, or no longer',
      server: thunder,
      expected: inBlocks(places, (place, liked) => ({
        path: `/rest/v1/posts/${idNumbered(firstPost + place.course)}/like`,
        body: JSON.stringify({ liked }),
        texts: [`"liked":${liked}`],
        cookie: cookie(place),
      })),
    },
    completion: {
      name: 'a lesson completed, or no longer',
      server: thunder,
      // Nobody has completed one of the second half, and nobody gets a certificate.
      expected: inBlocks(places, (place, done) => ({
        path: `/rest/v1/lessons/${idNumbered(lessonNumber({ ...place, lesson: 11 + (place.person % 9) }))}/completion`,
        method: done ? 'PUT' : 'DELETE',
        texts: [done ? '"completedAt":"' : '"completedAt":null'],
        cookie: cookie(place),
      })),
    },
  } satisfies Record<string, Case>
}

/** At 16 connections; the posts are made first. */
export async function measureWrites(measuring: Measuring): Promise<Row[]> {
  await seedPosts(measuring.database, measuring.size)
  const writes = writesOf(measuring)
  const all = {} as Record<keyof typeof writes, Measured>
  for (const [key, value] of Object.entries(writes) as [keyof typeof writes, Case][]) {
    const bytes = await checkAll(value.server.origin, sampleOf(value.expected, 100))
    all[key] = { ...value, bursts: [], bytes }
  }
  for (const one of Object.values(all)) await burst(targetOf(one, measuring), one.expected, 3)
  for (let repeat = 1; repeat <= measuring.repeats; repeat++) {
    for (const one of Object.values(all)) await measure(one, measuring)
  }
  // In the feeds of `community` they would be the newest.
  await measuring.database.query(`delete from posts where content = 'A post'`)
  const said = (one: Measured) =>
    `${whole(middle(one, 'perSecond'))}/s, p99 ${middle(one, 'p99').toFixed(1)} ms, ` +
    `CPU ${middle(one, 'cpu').toFixed(3)} + ${middle(one, 'databaseCpu').toFixed(3)} ms`
  const compared = (one: Measured): Row => {
    const times = ratio(one, all.bare)
    return {
      what: one.name,
      measured: `**${times.toFixed(2)}x**: ${said(one)}`,
      goal: `>= 0.4x ${all.bare.name}`,
      met: times >= 0.4,
    }
  }
  const bare: Row = { what: all.bare.name, measured: said(all.bare), goal: '', met: null }
  return [bare, compared(all.like), compared(all.completion)]
}
