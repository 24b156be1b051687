// What a creator asks about the courses: with a hundred times the students and sales it should cost the same.
import { checkAll } from './check-answer.ts'
import { burst, median } from './load.ts'
import { type Row, whole } from './row.ts'
import { type Business, businessesOf, seedAnalytics } from './seed-analytics.ts'
import { cookieOf, idNumbered } from './seed-many.ts'
import {
  type Case,
  measure,
  type Measured,
  type Measuring,
  middle,
  targetOf,
} from './throughput.ts'

const calls = {
  'analytics call, from the beginning': () => '/rest/v1/analytics',
  'analytics call, 30 days': () => '/rest/v1/analytics?days=30',
  'advanced call with funnel, from the beginning': ({ course }: Business) =>
    `/rest/v1/analytics/advanced?courseId=${idNumbered(course)}`,
  'advanced call, 90 days': () => '/rest/v1/analytics/advanced?days=90',
}

const cost = (one: Measured) => median(one.bursts.map(({ cpu, databaseCpu }) => cpu + databaseCpu))

/** At 16 connections; the creators are made first, and the measured Thunder folds what happened. */
export async function measureAnalytics(measuring: Measuring, students: number): Promise<Row[]> {
  const { thunder, database, size, secret, repeats } = measuring
  console.log(`Filling courses with ${whole(students)} students and sales...`)
  const { small, large } = businessesOf(size, students)
  await seedAnalytics(database, size, [small, large])
  const caseOf = (
    name: string,
    path: (business: Business) => string,
    business: Business,
  ): Case => ({
    name: `${name}, ${whole(business.students)} sales`,
    server: thunder,
    expected: [
      {
        path: path(business),
        cookie: cookieOf(business.creator, secret),
        texts: [
          '"revenue":',
          path(business).endsWith('analytics') ? `"students":${business.students}` : '',
        ],
      },
    ],
  })
  const pairs = Object.entries(calls).map(([name, path]) => ({
    name,
    ours: [caseOf(name, path, small), caseOf(name, path, large)].map((one): Measured => ({
      ...one,
      bursts: [],
      bytes: 0,
    })) as [Measured, Measured],
  }))
  const all = pairs.flatMap(({ ours }) => ours)
  for (const one of all) one.bytes = await checkAll(thunder.origin, one.expected)
  for (const one of all) await burst(targetOf(one, measuring), one.expected, 2)
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const one of all) await measure(one, measuring)
  }
  return pairs.flatMap(({ name, ours }): Row[] => {
    const [few, many] = ours
    const times = cost(many) / cost(few)
    const figures = ours.map((one): Row => ({
      what: one.name,
      measured:
        `${whole(middle(one, 'perSecond'))}/s, p99 ${middle(one, 'p99').toFixed(1)} ms, ` +
        `CPU ${middle(one, 'cpu').toFixed(3)} + ${middle(one, 'databaseCpu').toFixed(3)} ms`,
      goal: '',
      met: null,
    }))
    const what = `${name}: CPU of a request with ${whole(large.students)} beside ${whole(small.students)}`
    const measured = `**${times.toFixed(2)}x**`
    return [...figures, { what, measured, goal: '<= 1.3x', met: times <= 1.3 }]
  })
}
