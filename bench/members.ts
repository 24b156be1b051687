// The members of a course: with 1,000 of them, and with as many as are asked for.
import { measurePairs, type Pair, type Worlds } from './pairs.ts'
import { type Row, whole } from './row.ts'
import { cookieOf } from './seed-many.ts'
import {
  commonName,
  type Crowd,
  crowdOf,
  cursorAfter,
  memberNumbered,
  rareName,
  seedMembers,
} from './seed-members.ts'
import type { Case, Measuring } from './throughput.ts'

const few = 1000

/** Who asks, what for, and what is in the answer. */
interface Call {
  as: 'member' | 'instructor'
  query: string
  text: string
}

function callsFor({ members }: Crowd, cursor: string): Record<string, Call> {
  const total = `"total":${members}`
  const search = (name: string) => `?search=${encodeURIComponent(name)}`
  return {
    'members, first page': { as: 'member', query: '', text: total },
    'members, first page with progress': { as: 'instructor', query: '', text: '"lessonsCount"' },
    'members, a page in the middle': { as: 'member', query: `?cursor=${cursor}`, text: total },
    'members, search for a common name': {
      as: 'member',
      query: search(commonName),
      text: commonName,
    },
    'members, search for a rare name': { as: 'member', query: search(rareName), text: rareName },
    'members, search for a rare name or address': {
      as: 'instructor',
      query: search('member-1@bench'),
      text: rareName,
    },
    'members, search for nobody': {
      as: 'member',
      query: search('Xaver Zyx'),
      text: '"members":[]',
    },
  }
}

async function casesOf(measuring: Measuring, crowd: Crowd): Promise<Record<string, Case>> {
  const { thunder, database, secret } = measuring
  const cursor = await cursorAfter(database, crowd, crowd.members / 2)
  const askers = Array.from({ length: few }, (_, at) => memberNumbered(at + 1))
  return Object.fromEntries(
    Object.entries(callsFor(crowd, cursor)).map(([name, { as, query, text }]) => [
      name,
      {
        name: `${name}, of ${whole(crowd.members)}`,
        server: thunder,
        expected: (as === 'member' ? askers : [crowd.instructor]).map((person) => ({
          path: `/rest/v1/courses/crowd/members${query}`,
          texts: [text],
          cookie: cookieOf(person, secret),
        })),
      },
    ]),
  )
}

/** The courses are filled first. */
export async function measureMembers(worlds: Worlds, members: number): Promise<Row[]> {
  console.log(`Filling courses with ${whole(few)} and ${whole(members)} members...`)
  const crowds = { few: crowdOf(worlds.few.size, few), many: crowdOf(worlds.many.size, members) }
  await seedMembers(worlds.few.database, crowds.few)
  await seedMembers(worlds.many.database, crowds.many)
  const cases = {
    few: await casesOf(worlds.few, crowds.few),
    many: await casesOf(worlds.many, crowds.many),
  }
  const pairs = Object.keys(cases.few).map((name): Pair => ({
    what: `${name}: ${whole(members)} members beside ${whole(few)}`,
    few: cases.few[name]!,
    many: cases.many[name]!,
  }))
  return measurePairs(pairs, worlds)
}
