// Two nodes behind a balancer without sticky sessions: one dies in the middle, and nobody loses anything.
import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import {
  expect,
  hydrated,
  logInHere,
  newcomer,
  publishedCourse,
  sendSlowly,
  signedUp,
  signUpHere,
  somebodyElse,
  test as journey,
  writeVideo,
} from './journey.ts'
import { listenIn } from './listen-in.ts'
import type { Node } from './node.ts'
import { cards, coursePaidFor, payHere } from './paying.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

const test = journey.extend<object, { thunder: BuiltServer }>({
  thunder: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startBuiltServer({ FFMPEG_PATH: 'off' }, 2)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function rowsOf({ dataDir }: BuiltServer, statement: string, values: unknown[] = []) {
  const database = new Client({ connectionString: await runningPostgresUrl({ dataDir }) })
  await database.connect()
  try {
    return (await database.query(statement, values)).rows as Record<string, unknown>[]
  } finally {
    await database.end()
  }
}

const cookieOf = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')

/** Once more where a connection that was kept is closed before anything is answered: HAProxy leaves that to browsers. */
async function asBrowsersAsk(address: string, cookie: string): Promise<Response> {
  const ask = () => fetch(address, { headers: { cookie } })
  return ask().catch((error: unknown) => {
    const { cause } = error as { cause?: { code?: string } }
    if (cause?.code === 'UND_ERR_SOCKET') return ask()
    throw error
  })
}

/** Asks for these pages, one after the other, until it is told to end; answers how many and what was wrong. */
function visit(thunder: BuiltServer, paths: string[], cookie: string) {
  const ending = new AbortController()
  let answered = 0
  const wrong: string[] = []
  const go = async () => {
    while (!ending.signal.aborted) {
      for (const path of paths) {
        const answer = await asBrowsersAsk(thunder.url + path, cookie).catch(String)
        if (typeof answer === 'string') wrong.push(`${path}: ${answer}`)
        else if (answer.status === 200) answered += 1
        else wrong.push(`${path}: ${answer.status}`)
        // What dies while it sends cannot be taken over: a browser shows what it has, and loads again.
        if (typeof answer !== 'string') await answer.text().catch(() => '')
      }
    }
  }
  const going = go()
  return async () => {
    ending.abort()
    await going
    return { answered, wrong }
  }
}

test('who signs up at one node is known at the other', async ({ page, thunder }) => {
  const person = newcomer('Nora Nodes')
  await page.goto('/signup')
  await hydrated(page)
  await signUpHere(page, person)
  await expect(page).toHaveURL(/\/(dashboard|explore)/)
  await hydrated(page)
  const nodes = new Set<string | undefined>()
  const askOneOf = async () => {
    const answer = await page.request.get('/rest/v1/notifications')
    expect(answer.status()).toBe(200)
    nodes.add(answer.headers()['x-served-by'])
    return nodes.size
  }
  await expect.poll(askOneOf, 'both have answered').toBe(2)
  const mails = async () => {
    const asked = await Promise.all(
      thunder.nodes.map(async ({ url }) => (await fetch(`${url}/outbox/mails.json`)).json()),
    )
    return asked.map((caught: { to: string }[]) => caught.some((mail) => mail.to === person.email))
  }
  await expect.poll(mails, 'the mail that one of them sent').toEqual([true, true])
  await page.context().clearCookies()
  await page.goto('/login')
  await hydrated(page)
  await logInHere(page, person)
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
})

test('each node is killed in turn: an upload and an event stream go on, every page answers', async ({
  page,
  browser,
  thunder,
}) => {
  const path = test.info().outputPath('large.mp4')
  const video = await writeVideo(path, 12 * 1024 * 1024)
  await signedUp(page.request, 'Uma Upload')
  const lessons = ['First', 'Second', 'Third', 'Fourth']
  const course = await publishedCourse(page.request, 'Two Nodes Less One', lessons)
  const content = await (await page.request.get(`/rest/v1/courses/${course.id}/content`)).json()
  const ids: string[] = content.chapters[0].lessons.map(({ id }: { id: string }) => id)

  const learner = await somebodyElse(browser, { baseURL: thunder.url })
  const person = await signedUp(learner.context.request, 'Stella Stream')
  const inside = `/course/${course.slug}/dashboard`
  const joined = await learner.context.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)
  const brought = await listenIn(learner.page)
  await learner.page.goto(inside)
  await hydrated(learner.page)
  const stands = () => expect.poll(async () => (await brought()).open).toBe(1)
  await stands()
  const [from] = await rowsOf(thunder, 'select coalesce(max(id), 0) as id from live_events')
  let completed = 0
  /** As a person whose tick was not taken: once more. */
  const complete = async () => {
    const tick = () => learner.context.request.put(`/rest/v1/lessons/${ids[completed]}/completion`)
    await expect.poll(async () => (await tick()).status()).toBe(200)
    completed += 1
  }

  await page.goto(`/create-lessons/${course.id}`)
  await hydrated(page)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^First/ })
    .click()
  const asked = { begun: 0, where: 0 }
  await page.route('**/storage/v1/uploads{,/*}', async (route) => {
    const method = route.request().method()
    if (method === 'POST') asked.begun += 1
    if (method !== 'HEAD') return route.continue()
    asked.where += 1
    // As a balancer answers that has nobody to ask just then.
    if (asked.where > 1) return route.continue()
    return route.fulfill({ status: 503, body: 'No node has answered.' })
  })
  // Both nodes die within the first piece (5 MB).
  let stored = 0
  page.on('response', (answer) => {
    if (answer.request().method() === 'PATCH' && answer.ok()) stored += 1
  })
  // Both nodes die within the first piece (5 MB), which takes 160 seconds.
  const sendAtOnce = await sendSlowly(page, 32 * 1024)
  await page.getByLabel('Choose a video').setInputFiles(path)
  const bar = page.getByRole('progressbar', { name: 'large.mp4' })
  const isUnderWay = () =>
    expect
      .poll(() => bar.evaluate((element) => (element as HTMLProgressElement).value))
      .toBeGreaterThan(1)

  const paths = ['/', '/explore', `/course/${course.slug}`, inside]
  const endVisits = visit(thunder, paths, await cookieOf(learner.page))
  for (const node of thunder.nodes) {
    await isUnderWay()
    await node.kill9()
    expect(stored, 'each node died while the first piece was on its way').toBe(0)
    await complete()
    await stands()
    await complete()
    await node.start()
  }
  await sendAtOnce()
  const preview = page.getByLabel('Preview of large.mp4')
  await expect(preview).toBeVisible()
  const { answered, wrong } = await endVisits()
  expect(wrong).toEqual([])
  expect(answered).toBeGreaterThan(20)

  const delivered = await page.request.get((await preview.getAttribute('src')) ?? '')
  expect(sha256(await delivered.body())).toBe(sha256(video))
  expect(asked.begun, 'one upload, gone on with').toBe(1)
  // HAProxy closes the connection without an answer: then it is the browser that sends the piece again, and nobody asks.
  if (process.env.JOURNEY_BALANCER !== 'haproxy') {
    expect(asked.where, 'it was interrupted').toBeGreaterThan(1)
  }

  const told = await rowsOf(
    thunder,
    `select l.id::text as id from live_events l join users u on u.email = $1
      where l.id > $2 and l.topic in ('person:' || u.id, 'course:' || $3) order by l.id`,
    [person.email, from!.id, course.id],
  )
  const since = async () =>
    (await brought()).ids.filter((id) => BigInt(id) > BigInt(String(from!.id))).toSorted()
  expect(told.length).toBeGreaterThanOrEqual(lessons.length)
  await expect.poll(since).toEqual(told.map(({ id }) => id as string).toSorted())
  await expect(learner.page.getByText('4 of 4 lessons completed')).toBeVisible()
  await learner.context.close()
})

test('a node dies between payment and confirmation: the buyer is in, once', async ({
  page,
  browser,
  thunder,
}) => {
  const seller = await somebodyElse(browser, { baseURL: thunder.url })
  const creator = await signedUp(seller.context.request, 'Sid Seller')
  const price = { pricingType: 'one_time', priceAmount: 2900 } as const
  const course = await coursePaidFor(seller.context.request, 'Paid at a Dying Node', price)
  await seller.context.close()
  const buyer = await signedUp(page.request, 'Paula Payer')
  // The webhook comes when the buyer has long come back.
  await rowsOf(
    thunder,
    `insert into stripe_sandbox.switches (data) values ('{"delayMs": 5000}')
       on conflict (is_only) do update set data = stripe_sandbox.switches.data || excluded.data`,
  )
  await page.goto(course.page)
  await hydrated(page)
  await page.getByRole('button', { name: 'Join for $29' }).click()
  await expect(page).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)

  let killed: Node | undefined
  await page.route('**/sandbox/stripe/c/pay/*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const taker = response.headers()['x-served-by']
    killed = thunder.nodes.find(({ url }) => new URL(url).host === taker)
    // Paid; the browser is told so when the node is gone.
    await killed?.kill9()
    return route.fulfill({ response })
  })
  await payHere(page, cards.good)
  await expect(page).toHaveURL(course.inside)
  expect(killed, 'the node that took the payment').toBeDefined()
  expect(killed!.isKilled()).toBe(true)
  await page.unrouteAll({ behavior: 'wait' })
  await killed!.start()

  const count = async () =>
    (
      await rowsOf(
        thunder,
        `select (select count(*)::int from enrollments e join users u on u.id = e.user_id
                  where e.course_id = $1 and u.email = $2) as enrollments,
                (select count(*)::int from purchases where course_id = $1) as purchases,
                (select count(*)::int from payments where course_id = $1) as payments,
                (select count(*)::int from ledger_transactions t join payments p on p.id = t.payment_id
                  where p.course_id = $1) as booked,
                (select count(*)::int from stripe_sandbox.deliveries) as waiting,
                (select count(*)::int from graphile_worker.jobs
                  where task_identifier = 'applyPaymentEvent') as applying`,
        [course.id, buyer.email],
      )
    )[0]
  const once = { enrollments: 1, purchases: 1, payments: 1, booked: 1, waiting: 0, applying: 0 }
  await expect.poll(count).toEqual(once)
  const sales = async () => {
    const mails = await (await page.request.get('/outbox/mails.json')).json()
    return mails.filter(
      (mail: { to: string; subject: string }) =>
        mail.to === creator.email && mail.subject === 'You Made a Sale',
    ).length
  }
  await expect.poll(sales).toBe(1)
})

test('a node that is stopped in order leaves nobody without an answer', async ({
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Oda Order')
  const titles = Array.from({ length: 200 }, (_, index) => `Lesson ${index + 1}`)
  const { id, slug } = await publishedCourse(page.request, 'Stopped in Order', titles)
  const content = await (await page.request.get(`/rest/v1/courses/${id}/content`)).json()
  const lessons: { id: string }[] = content.chapters[0].lessons
  const learner = await page.context().browser()!.newContext({ baseURL: thunder.url })
  await signedUp(learner.request, 'Lars Learner')
  expect(
    (await learner.request.post('/rest/v1/enrollments', { data: { courseId: id } })).status(),
  ).toBe(200)
  const [first] = thunder.nodes
  const rest = lessons.values()
  const statuses: number[] = []
  let stopping: Promise<void> | undefined
  const write = async () => {
    for (const lesson of rest) {
      const answer = await learner.request.put(`/rest/v1/lessons/${lesson.id}/completion`)
      statuses.push(answer.status())
      // Others are under way just then.
      if (statuses.length === 20) stopping = first!.stop()
    }
  }
  await Promise.all(Array.from({ length: 8 }, write))
  await stopping
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  const course = await (await learner.request.get(`/rest/v1/courses/${slug}/dashboard`)).json()
  expect(course.completedCount).toBe(lessons.length)
  await first!.start()
  await learner.close()
})
