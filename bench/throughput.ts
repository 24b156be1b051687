// Requests per second and processor time of the pages that matter, each beside its bare reference.
import type { Client } from 'pg'
import { categories } from '../src/domains/courses/rules.ts'
import { checkAll, type Expected } from './check-answer.ts'
import { type Burst, burst, median, waitForQuiet } from './load.ts'
import type { Server } from './processes.ts'
import { type Row, whole } from './row.ts'
import { cookieOf, idNumbered, lessonNumber, placeOf, type Size } from './seed-many.ts'

export interface Case {
  name: string
  server: Server
  expected: Expected[]
  /** Brings the server into the state that is measured. */
  prepare?: () => Promise<unknown>
}

export type Measured = Case & { bursts: Burst[]; bytes: number }

const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

function coursesOf(count: number, text: (number: number) => string): Expected[] {
  return range(count).map((number) => ({
    path: `/course/bench-course-${number}`,
    texts: [text(number)],
  }))
}

/** The pages that sell and explain the product, and those of people. */
const sitePages: Expected[] = [
  { path: '/', texts: ['Featured'] },
  { path: '/pro', texts: ['Pro'] },
  { path: '/about', texts: ['About'] },
  { path: '/accessibility', texts: ['Accessibility'] },
  ...['whop', 'skool', 'kajabi', 'teachable'].map((competitor) => ({
    path: `/blog/thunder-versus-${competitor}`,
    texts: [competitor],
  })),
  { path: '/help', texts: ['Help'] },
  ...['refunds', 'progress', 'payouts', 'publish', 'coupons', 'analytics'].map((slug) => ({
    path: `/help/${slug}`,
    texts: [slug],
  })),
]

/** In the row that the bare query gives, and in the page. */
const inRow = (number: number) => `"slug":"bench-course-${number}"`
const inPage = (number: number) => `About course ${number}.`

/** Every category, and all of them. */
function catalogueOf(path: (category: string | null) => string): Expected[] {
  return [null, ...categories].map((category) => ({
    path: path(category),
    texts: ['bench-course-'],
  }))
}

function lessonsOf(
  size: Size,
  count: number,
  path: (slug: string, lesson: string) => string,
  secret: string | null,
): Expected[] {
  return range(count).map((at) => {
    const place = placeOf(at, size)
    return {
      path: path(`bench-course-${place.course}`, `step-${place.lesson}`),
      texts: [
        `Text of lesson ${lessonNumber(place)}.`,
        `Step ${place.lesson} of course ${place.course}`,
      ],
      ...(secret && { cookie: cookieOf(place.person, secret) }),
    }
  })
}

/** Where people are in their videos, each in a lesson of their own. */
function positionsOf(
  size: Size,
  count: number,
  path: (user: string, lesson: string) => string,
  secret: string | null,
): Expected[] {
  return range(count).map((at) => {
    const place = placeOf(at, size)
    return {
      path: path(idNumbered(place.person), idNumbered(lessonNumber(place))),
      body: JSON.stringify({ seconds: at % 600 }),
      texts: [`"seconds":${at % 600}`],
      ...(secret && { cookie: cookieOf(place.person, secret) }),
    }
  })
}

export interface Measuring {
  thunder: Server
  bare: Server
  database: Client
  size: Size
  secret: string
  databasePid: number
  seconds: number
  repeats: number
  /** Seconds to wait, before each burst, for other programs to leave the machine alone. */
  patience: number
}

const category = (value: string | null) => value && `category=${encodeURIComponent(value)}`
const lessonPath = (slug: string, lesson: string) => `/course/${slug}/lesson/${lesson}`

export function casesOf({ thunder, bare, database, size, secret }: Measuring) {
  // As many as are kept at once: of more, asked for in turn, none would be.
  const pages = coursesOf(Math.min(1000, size.taught), inPage)
  const many = coursesOf(Math.min(10_000, size.courses), inPage)
  const lessons = 10_000
  // Raises the versions of more courses than can be rendered in time: each kept page is out of date.
  const slugs = many.map(({ path }) => path.replace('/course/', ''))
  const touch = () =>
    database.query('update courses set updated_at = now() where slug = any($1)', [slugs])
  return {
    bareCourse: {
      name: 'bare: one indexed query',
      server: bare,
      expected: coursesOf(pages.length, inRow),
    },
    course: {
      name: 'course page, signed out, kept',
      server: thunder,
      expected: pages,
      prepare: () => checkAll(thunder.origin, pages),
    },
    courseRendered: {
      name: 'course page, signed out, rendered anew',
      server: thunder,
      expected: many,
      prepare: touch,
    },
    site: {
      name: 'home, blog, help and their like, kept',
      server: thunder,
      expected: sitePages,
      prepare: () => checkAll(thunder.origin, sitePages),
    },
    profile: {
      name: 'profile, signed out',
      server: thunder,
      // So few that a burst, which renders each once, soon sends kept ones.
      expected: range(Math.min(100, size.creators)).map((number) => ({
        path: `/user/person-${number}`,
        texts: [`Person ${number}`],
      })),
    },
    bareList: {
      name: 'bare: a list of 24',
      server: bare,
      expected: catalogueOf((value) => `/list?${category(value) ?? ''}`),
    },
    explore: {
      name: 'catalogue page, signed out, as it opens',
      server: thunder,
      expected: catalogueOf((value) => `/explore?${category(value) ?? ''}`),
    },
    exploreMore: {
      name: "catalogue page, signed out, after 'Load More'",
      server: thunder,
      expected: catalogueOf(
        (value) => `/explore?${[category(value), 'show=24'].filter(Boolean).join('&')}`,
      ),
    },
    bareLesson: {
      name: 'bare: one lesson',
      server: bare,
      expected: lessonsOf(size, lessons, lessonPath, null),
    },
    lessonCall: {
      name: 'lesson call, signed in',
      server: thunder,
      expected: lessonsOf(
        size,
        lessons,
        (slug, lesson) => `/rest/v1/courses/${slug}/lessons/${lesson}`,
        secret,
      ),
    },
    lesson: {
      name: 'lesson page, signed in, rendered',
      server: thunder,
      expected: lessonsOf(size, lessons, lessonPath, secret),
    },
    barePosition: {
      name: 'bare: one durable insert',
      server: bare,
      expected: positionsOf(size, lessons, (user, lesson) => `/position/${user}/${lesson}`, null),
    },
    position: {
      name: 'position in a video, saved',
      server: thunder,
      expected: positionsOf(
        size,
        lessons,
        (_, lesson) => `/rest/v1/lessons/${lesson}/position`,
        secret,
      ),
    },
    bareStatic: {
      name: 'bare: a static page of 20 KB',
      server: bare,
      expected: [{ path: '/static', texts: ['A static page of 20 KB'] }],
    },
  } satisfies Record<string, Case>
}

/** A sample, evenly spread. */
export function sampleOf<Value>(values: Value[], count: number): Value[] {
  const step = Math.max(1, Math.floor(values.length / count))
  return values.filter((_, at) => at % step === 0)
}

export const targetOf = ({ server }: Case, { databasePid }: Measuring) => ({
  ...server,
  databasePid,
})

export async function measure(measured: Measured, measuring: Measuring): Promise<number> {
  await measured.prepare?.()
  const others = await waitForQuiet(measuring.patience)
  const result = await burst(targetOf(measured, measuring), measured.expected, measuring.seconds)
  measured.bursts.push(result)
  // Each answer was a full page, not only those that were looked at.
  if (Math.abs(result.bytes / measured.bytes - 1) > 0.25) {
    throw new Error(
      `${measured.name}: ${result.bytes} bytes per answer, but ${measured.bytes} were expected`,
    )
  }
  console.log(
    `  ${measured.name.padEnd(42)} ${whole(result.perSecond).padStart(7)}/s  p99 ${result.p99.toFixed(1).padStart(6)} ms  ` +
      `CPU ${result.cpu.toFixed(3)} + ${result.databaseCpu.toFixed(3)} ms  (others ${Math.round(others * 100)} %)`,
  )
  return others
}

export async function measureThroughput(measuring: Measuring): Promise<Row[]> {
  const cases = casesOf(measuring)
  const all = {} as Record<keyof typeof cases, Measured>
  for (const [key, value] of Object.entries(cases) as [keyof typeof cases, Case][]) {
    const bytes = await checkAll(value.server.origin, sampleOf(value.expected, 200))
    all[key] = { ...value, bursts: [], bytes }
  }
  console.log('Warming up...')
  for (const one of Object.values(all)) await burst(targetOf(one, measuring), one.expected, 3)
  // As autovacuum would after a minute: what the warm-up wrote is planned as if it were not there.
  await measuring.database.query('analyze')
  for (let repeat = 1; repeat <= measuring.repeats; repeat++) {
    console.log(`Repeat ${repeat} of ${measuring.repeats}`)
    for (const one of Object.values(all)) await measure(one, measuring)
  }
  for (const one of Object.values(all))
    await checkAll(one.server.origin, sampleOf(one.expected, 50))
  return rowsOf(all)
}

type All = Record<keyof ReturnType<typeof casesOf>, Measured>

export const middle = (one: Measured, of: keyof Burst) =>
  median(one.bursts.map((result) => result[of]))
/** Neighbours in time are compared, so that a slow minute hits both. */
export const ratio = (one: Measured, reference: Measured, of: keyof Burst = 'perSecond') =>
  median(one.bursts.map((result, at) => result[of] / reference.bursts[at]![of]))

function rowsOf(all: All): Row[] {
  const said = (one: Measured) => {
    const rates = one.bursts.map((result) => result.perSecond)
    return (
      `${whole(middle(one, 'perSecond'))}/s (${whole(Math.min(...rates))} to ${whole(Math.max(...rates))}), ` +
      `p99 ${middle(one, 'p99').toFixed(1)} ms, CPU ${middle(one, 'cpu').toFixed(3)} + ${middle(one, 'databaseCpu').toFixed(3)} ms`
    )
  }
  const figure = (one: Measured): Row => ({
    what: one.name,
    measured: said(one),
    goal: '',
    met: null,
  })
  const compared = (one: Measured, reference: Measured, least: number): Row => {
    const times = ratio(one, reference)
    return {
      what: one.name,
      measured: `**${times.toFixed(2)}x**: ${said(one)}`,
      goal: `>= ${least}x ${reference.name}`,
      met: times >= least,
    }
  }
  const tail = ratio(all.course, all.bareCourse, 'p99')
  const rate = middle(all.lesson, 'perSecond')
  return [
    figure(all.bareCourse),
    compared(all.course, all.bareCourse, 0.5),
    {
      what: `${all.course.name}: p99`,
      measured: `**${tail.toFixed(2)}x**`,
      goal: `<= 2x ${all.bareCourse.name}`,
      met: tail <= 2,
    },
    figure(all.courseRendered),
    compared(all.site, all.bareCourse, 0.5),
    compared(all.profile, all.bareCourse, 0.5),
    figure(all.bareList),
    compared(all.explore, all.bareList, 0.4),
    figure(all.exploreMore),
    figure(all.bareLesson),
    compared(all.lessonCall, all.bareLesson, 0.25),
    { what: all.lesson.name, measured: said(all.lesson), goal: '>= 250/s', met: rate >= 250 },
    figure(all.barePosition),
    compared(all.position, all.barePosition, 0.4),
    figure(all.bareStatic),
  ]
}
