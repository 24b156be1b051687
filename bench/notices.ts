// The bell: in a table of 1,000 notifications and in one of many, and for who has very many.
import { measurePairs, type Worlds } from './pairs.ts'
import { type Row, whole } from './row.ts'
import { cookieOf } from './seed-many.ts'
import { noticesEach, seedNotices } from './seed-notices.ts'
import type { Case, Measuring } from './throughput.ts'

const few = { all: 1000, own: 1000 }

function bellOf({ thunder, secret }: Measuring, name: string, people: number[]): Case {
  const expected = people.map((person) => ({
    path: '/rest/v1/notifications',
    texts: ['"title":"Notice 1"', '"title":"Notice 50"'],
    cookie: cookieOf(person, secret),
  }))
  return { name, server: thunder, expected }
}

/** The notifications are made first: `all` of many people, and `own` of one person. */
export async function measureNotices(
  worlds: Worlds,
  { all, own }: { all: number; own: number },
): Promise<Row[]> {
  console.log(`Filling the bells with ${whole(all)} notifications...`)
  const readers = { few: few.all / noticesEach, many: all / noticesEach }
  if (readers.many >= worlds.many.size.people) {
    throw new Error(`${all} notifications need more than ${readers.many} people`)
  }
  await seedNotices(worlds.few.database, readers.few, few.own)
  await seedNotices(worlds.many.database, readers.many, own)
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  const pairs = [
    {
      what: `bell: ${whole(all)} notifications in the table beside ${whole(few.all)}`,
      few: bellOf(worlds.few, 'bell, small table', upTo(readers.few)),
      many: bellOf(worlds.many, 'bell, large table', upTo(readers.many)),
    },
    {
      what: `bell: ${whole(own)} notifications of one's own beside ${whole(few.own)}`,
      few: bellOf(worlds.few, 'bell, few of their own', [readers.few + 1]),
      many: bellOf(worlds.many, 'bell, many of their own', [readers.many + 1]),
    },
  ]
  return measurePairs(pairs, worlds)
}
