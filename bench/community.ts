// The feed of a course and what is below it: with 1,000 posts, with 100,000, and beside a bare query.
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { ask, checkAll, type Expected } from './check-answer.ts'
import { countersOf } from './counters.ts'
import { burst, median } from './load.ts'
import { type Row, whole } from './row.ts'
import { large, members, newestOf, seedCommunity, small, threads } from './seed-community.ts'
import { cookieOf, idNumbered } from './seed-many.ts'
import { at, type Contender, milliseconds, openStreams } from './streams.ts'
import {
  type Case,
  measure,
  type Measured,
  type Measuring,
  middle,
  ratio,
  sampleOf,
  targetOf,
} from './throughput.ts'

type Community = typeof large

const people = Array.from({ length: members }, (_, index) => index + 1)
const hasPost = (number: number) => `Post ${number}: `

function casesOf({ thunder, bare, secret }: Measuring) {
  const asked = (path: string, texts: string[]): Expected[] =>
    people.map((person) => ({ path, texts, cookie: cookieOf(person, secret) }))
  const feed = (community: Community, query = '') =>
    asked(`/rest/v1/courses/bench-course-${community.course}/posts${query}`, [
      hasPost(newestOf(community)),
      hasPost(newestOf(community) - 19),
    ])
  const comments = (community: Community) =>
    asked(`/rest/v1/posts/${idNumbered(newestOf(community))}/comments`, ['Comment 1: ', '2 '])
  const bareFeed = (community: Community): Expected[] =>
    people.map((person) => ({
      path: `/feed/${idNumbered(community.course)}/${idNumbered(person)}`,
      texts: [hasPost(newestOf(community))],
    }))
  return {
    bareFeed: { name: 'bare: a feed of 20', server: bare, expected: bareFeed(large) },
    largeFeed: { name: 'feed call, 100,000 posts', server: thunder, expected: feed(large) },
    smallFeed: { name: 'feed call, 1,000 posts', server: thunder, expected: feed(small) },
    largeLiked: {
      name: 'feed call, 100,000 posts, most likes first',
      server: thunder,
      expected: feed(large, '?sort=highest').map((one) => ({ ...one, texts: ['"posts":['] })),
    },
    smallLiked: {
      name: 'feed call, 1,000 posts, most likes first',
      server: thunder,
      expected: feed(small, '?sort=highest').map((one) => ({ ...one, texts: ['"posts":['] })),
    },
    comments: {
      name: `comments call, ${whole(threads * 3)} comments`,
      server: thunder,
      expected: comments(large).map((one) => ({ ...one, texts: ['Comment 1: '] })),
    },
    like: {
      name: 'like, and no longer',
      server: thunder,
      expected: [true, false].flatMap((liked) =>
        people.map((person) => ({
          path: `/rest/v1/posts/${idNumbered(1 + ((person * 19) % large.posts))}/like`,
          body: JSON.stringify({ liked }),
          texts: [`"liked":${liked}`],
          cookie: cookieOf(person, secret),
        })),
      ),
    },
  } satisfies Record<string, Case>
}

async function costOf(one: Case, database: Client) {
  const requests = 200
  const before = await countersOf(database)
  for (const address of sampleOf(one.expected, requests).slice(0, requests)) {
    await ask(one.server.origin, address)
  }
  const after = await countersOf(database)
  // The second look at the counters is one statement of ours, its snapshot another one.
  const statements = (after.statements - before.statements - 2) / requests
  return { rows: (after.read - before.read) / requests, statements }
}

const likesInFanOut = 40

/** Milliseconds from a like to its arrival in each of 1,000 open pages of members. */
async function fanOut({ thunder, secret }: Measuring): Promise<number[]> {
  const listeners = people.slice(0, 1000)
  const contender: Contender = {
    name: 'Thunder',
    server: thunder,
    inspector: 0,
    path: `/realtime/v1/events?courseId=${idNumbered(large.course)}`,
    cookie: (person) => cookieOf(person, secret),
    say: () => Promise.resolve(),
  }
  const times: number[] = []
  let said = 0
  let arrived = 0
  let all = Promise.withResolvers<void>()
  const close = await openStreams(contender, listeners, (text) => {
    if (!text.includes('"likes"')) return
    times.push(performance.now() - said)
    arrived += 1
    if (arrived === listeners.length) all.resolve()
  })
  for (let like = -3; like < likesInFanOut; like++) {
    await delay(150)
    if (like === 0) times.length = 0
    arrived = 0
    all = Promise.withResolvers()
    said = performance.now()
    await ask(thunder.origin, {
      path: `/rest/v1/posts/${idNumbered(newestOf(large))}/like`,
      body: JSON.stringify({ liked: true }),
      cookie: cookieOf(2000 + like, secret),
    })
    await all.promise
  }
  close()
  return times.toSorted((one, other) => one - other)
}

/** At 16 connections; the communities are made first. */
export async function measureCommunity(measuring: Measuring): Promise<Row[]> {
  console.log('Filling the communities...')
  await seedCommunity(measuring.database, measuring.size)
  const cases = casesOf(measuring)
  const costs = {} as Record<keyof typeof cases, { rows: number; statements: number }>
  for (const key of ['largeFeed', 'smallFeed', 'largeLiked', 'smallLiked', 'comments'] as const) {
    await checkAll(measuring.thunder.origin, sampleOf(cases[key].expected, 50))
    costs[key] = await costOf(cases[key], measuring.database)
  }
  const arrivals = await fanOut(measuring)
  const all = {} as Record<keyof typeof cases, Measured>
  for (const [key, value] of Object.entries(cases) as [keyof typeof cases, Case][]) {
    const bytes = await checkAll(value.server.origin, sampleOf(value.expected, 100))
    all[key] = { ...value, bursts: [], bytes }
  }
  for (const one of Object.values(all)) await burst(targetOf(one, measuring), one.expected, 3)
  for (let repeat = 1; repeat <= measuring.repeats; repeat++) {
    for (const one of Object.values(all)) await measure(one, measuring)
  }
  const said = (one: Measured) =>
    `${whole(middle(one, 'perSecond'))}/s, p99 ${middle(one, 'p99').toFixed(1)} ms, ` +
    `CPU ${middle(one, 'cpu').toFixed(3)} + ${middle(one, 'databaseCpu').toFixed(3)} ms`
  const costRow = (key: keyof typeof cases, mostStatements: number): Row => {
    const { rows, statements } = costs[key]
    return {
      what: `${cases[key].name}: cost`,
      measured: `**${statements.toFixed(1)} statements**, ${whole(rows)} rows read`,
      goal: `<= ${mostStatements} statements`,
      met: Math.round(statements) <= mostStatements,
    }
  }
  const sameRows = (one: keyof typeof cases, other: keyof typeof cases, what: string): Row => {
    const times = costs[one].rows / costs[other].rows
    return {
      what,
      measured: `**${times.toFixed(2)}x** the rows`,
      goal: '<= 1.3x',
      met: times <= 1.3,
    }
  }
  const figure = (one: Measured): Row => ({
    what: one.name,
    measured: said(one),
    goal: '',
    met: null,
  })
  const feedRatio = ratio(all.largeFeed, all.bareFeed)
  const commentsRatio = ratio(all.comments, all.bareFeed)
  const cpuGrowth =
    median(all.largeFeed.bursts.map(({ cpu, databaseCpu }) => cpu + databaseCpu)) /
    median(all.smallFeed.bursts.map(({ cpu, databaseCpu }) => cpu + databaseCpu))
  return [
    figure(all.bareFeed),
    {
      what: all.largeFeed.name,
      measured: `**${feedRatio.toFixed(2)}x**: ${said(all.largeFeed)}`,
      goal: `>= 0.33x ${all.bareFeed.name}`,
      met: feedRatio >= 0.33,
    },
    costRow('largeFeed', 3),
    figure(all.smallFeed),
    costRow('smallFeed', 3),
    sameRows('largeFeed', 'smallFeed', 'feed, 100,000 posts beside 1,000'),
    {
      what: 'feed, 100,000 posts beside 1,000: CPU of a request',
      measured: `**${cpuGrowth.toFixed(2)}x**`,
      goal: '<= 1.3x',
      met: cpuGrowth <= 1.3,
    },
    figure(all.largeLiked),
    sameRows('largeLiked', 'smallLiked', 'most likes first, 100,000 posts beside 1,000'),
    {
      what: all.comments.name,
      measured: `**${commentsRatio.toFixed(2)}x**: ${said(all.comments)}`,
      goal: `>= 0.33x ${all.bareFeed.name}`,
      met: commentsRatio >= 0.33,
    },
    costRow('comments', 3),
    figure(all.like),
    {
      what: 'from a like to its arrival in 1,000 open pages',
      measured: `p50 ${milliseconds(at(arrivals, 0.5))}, p99 ${milliseconds(at(arrivals, 0.99))}`,
      goal: '',
      met: null,
    },
  ]
}
