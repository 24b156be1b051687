// kill -9 of the app and of PostgreSQL while people write: what was acknowledged is there, once. `npm run prove:crashes`
// does it a thousand times.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { request as requests } from '@playwright/test'
import { Client } from 'pg'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import { findLosses, newTally, newWriter, writeOn, type Writer } from './crash-writers.ts'
import { expect, publishedCourse, signedUp, test as journey } from './journey.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

const rounds = Number(process.env.CRASHES ?? 6)
/** Acknowledged writes between two crashes. */
const perRound = 20
/** Rounds after which everything is looked at, so that a loss is told near its crash. */
const lookEvery = 25

const test = journey.extend<object, { thunder: BuiltServer }>({
  thunder: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startBuiltServer({ FFMPEG_PATH: 'off', LOG_LEVEL: 'error' }, 1)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

/** What PostgreSQL answers while it recovers. */
const recovering = '57P03'

async function connected(connectionString: string | undefined): Promise<Client> {
  for (;;) {
    const database = new Client({ connectionString })
    // It may be the one that is killed.
    database.on('error', () => {})
    const problem = await database.connect().then(
      () => null,
      (error: { code?: string }) => error,
    )
    if (problem === null) return database
    if (problem.code !== recovering) throw problem
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function withDatabase<Result>(
  { dataDir }: BuiltServer,
  work: (database: Client) => Promise<Result>,
): Promise<Result> {
  const database = await connected(await runningPostgresUrl({ dataDir }))
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}

/** Each answers when it killed, by `performance.now()`. */
const victims = {
  async app(thunder: BuiltServer) {
    const killed = performance.now()
    await thunder.kill9()
    await thunder.restart()
    return killed
  },
  async PostgreSQL({ dataDir }: BuiltServer) {
    const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    process.kill(Number(file.split('\n')[0]), 'SIGKILL')
    return performance.now()
  },
  /** A crash of one: PostgreSQL ends all others, and recovers. */
  async 'process of a connection'(thunder: BuiltServer) {
    let killed = 0
    await withDatabase(thunder, async (database) => {
      const { rows } = await database.query<{ pid: number }>(
        `select pid from pg_stat_activity
          where backend_type = 'client backend' and datname = current_database()
            and pid <> pg_backend_pid()
          order by random() limit 1`,
      )
      process.kill(rows[0]!.pid, 'SIGKILL')
      killed = performance.now()
    }).catch((error: Error) => {
      // Its own connection ends as well, sometimes before it is closed.
      if (!/terminat|ECONN/i.test(error.message)) throw error
    })
    return killed
  },
}

const kinds = Object.entries(victims)

test('everything that was acknowledged outlives kill -9, and nothing is there twice', async ({
  page,
  thunder,
}) => {
  test.setTimeout(240_000 + rounds * 20_000)
  const owner = await signedUp(page.request, 'Olga Owner')
  const lessons = Array.from({ length: 12 }, (_, index) => `Lesson ${index + 1}`)
  const course = await publishedCourse(page.request, 'Written While Everything Dies', lessons)
  const content = await (await page.request.get(`/rest/v1/courses/${course.id}/content`)).json()
  const lessonIds: string[] = content.chapters[0].lessons.map(({ id }: { id: string }) => id)
  const post = await page.request.post('/rest/v1/posts', {
    data: { courseId: course.id, content: 'What do you think?' },
  })
  expect(post.status(), owner.email).toBe(200)
  const place = { url: thunder.url, postId: (await post.json()).id as string, lessonIds }

  const writers: Writer[] = []
  const cookies: string[] = []
  for (let index = 1; index <= 8; index += 1) {
    const context = await requests.newContext({ baseURL: thunder.url })
    const { email } = await signedUp(context, `Writer ${index}`)
    const joined = await context.post('/rest/v1/enrollments', { data: { courseId: course.id } })
    expect(joined.status()).toBe(200)
    const { cookies: jar } = await context.storageState()
    cookies.push(jar.map(({ name, value }) => `${name}=${value}`).join('; '))
    const userId = await withDatabase(thunder, async (database) => {
      const { rows } = await database.query<{ id: string }>(
        'select id from users where email = $1',
        [email],
      )
      return rows[0]!.id
    })
    writers.push(newWriter(`Writer ${index}`, userId))
    await context.dispose()
  }

  const tally = newTally()
  const begin = () => {
    const ending = new AbortController()
    const going = writers.map((writer, index) =>
      writeOn(writer, cookies[index]!, place, { tally, ending: ending.signal }),
    )
    return async () => {
      ending.abort()
      await Promise.all(going)
    }
  }
  const until = async (isSo: () => boolean) => {
    // Closer than a poll of a page: it is how long people waited that is told at the end.
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2))
  }

  const away = new Map<string, number[]>(kinds.map(([what]) => [what, []]))
  let end = begin()
  for (let round = 0; round < rounds; round += 1) {
    const [what, kill] = kinds[round % kinds.length]!
    const enough = tally.acknowledged + perRound
    await until(() => tally.acknowledged >= enough)
    const killed = await kill(thunder)
    await until(() => tally.sent > killed)
    away.get(what)!.push(performance.now() - killed)
    if ((round + 1) % lookEvery !== 0 && round + 1 < rounds) continue
    await end()
    const losses = await withDatabase(thunder, async (database) => {
      // Those limits are about people, who write more slowly.
      await database.query("delete from rate_limits where key not like 'login%'")
      return findLosses(database, writers, place)
    })
    expect(losses, `after ${round + 1} crashes`).toEqual([])
    if (round + 1 < rounds) end = begin()
  }
  for (const [what, times] of away) {
    const sorted = times.toSorted((one, other) => one - other)
    const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)
    console.log(
      `kill -9 of the ${what}: ${times.length} times; the next write was acknowledged after ${at(0.5)} ms (median), ${at(0.95)} ms (95 of 100), ${at(1)} ms (longest)`,
    )
  }
  console.log(
    `${tally.acknowledged} writes acknowledged, none lost, none twice; ${tally.broken} requests broke off; refused:`,
    [...tally.refused],
  )
  expect(tally.acknowledged).toBeGreaterThanOrEqual(rounds * perRound)
  // Nobody is told something else than what is the matter.
  const untrue = [...tally.refused.keys()].filter((said) => !/^(503|429) /.test(said))
  expect(untrue).toEqual([])
})
