// The clock of a node is set forward and back by a day while it serves.
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { reconcilePayments } from '../../src/domains/payments/reconcile.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../factories.ts'
import { payHere, switches } from '../sandbox.ts'
import { followSchedule } from '../schedule.ts'
import { everythingWorks, logIn } from './everything-works.ts'
import { patience } from '../patience.ts'
import { faultLimits, startLoad } from './load.ts'
import { setClock } from './set-clock.ts'

vi.setConfig(faultLimits)

const day = 24 * 60 * 60 * 1000

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await followSchedule(app.services.pool)
})
afterEach(async () => {
  setClock(0)
  await switches(app, { dropPercent: 0 })
})
afterAll(() => app?.stop())

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

test.each([
  ['forward and back', day],
  ['back and forward', -day],
])('a clock that is set %s by a day', async (_name, ahead) => {
  const load = await startLoad(app)
  const people = [await everythingWorks(app, [])]
  await load.acknowledges(20)
  // As a log-in makes them; those of a test last a day only.
  await query(`update sessions set expires_at = now() + interval '30 days'`)
  for (const set of [ahead, 0]) {
    setClock(set)
    await load.acknowledges(60)
    people.push(await everythingWorks(app, people))
  }
  await load.end()
})

test('nobody waits for a day because a clock was ahead when they guessed', async () => {
  const { email } = await makePerson(app.services)
  setClock(day)
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await logIn(app, email, 'wrong horse')).status).toBe(401)
  }
  const refused = await logIn(app, email)
  expect([refused.status, refused.body.message]).toEqual([
    429,
    'Too many attempts. Please try again in 10 minutes.',
  ])
  setClock(0)
  expect((await logIn(app, email)).status).toBe(200)
})

test('what is paid after a clock was ahead is found, though no webhook tells of it', async () => {
  const reconcile = () => reconcilePayments({ onItsWay: 0 }, app.services)
  setClock(day)
  await reconcile()
  setClock(0)
  await switches(app, { dropPercent: 100 })
  const course = await makeCourse(app.services, await makePerson(app.services))
  await query(
    `update courses set pricing_type = 'one_time', price_amount = 2900 where id = $1`,
    course.id,
  )
  const buyer = await makePerson(app.services)
  const { body } = await app.request('/functions/v1/course-checkout', {
    body: { course_id: course.id },
    cookie: await sessionCookieOf(app.services, buyer.id),
  })
  expect(await payHere(app, body.url)).toMatchObject({ status: 303 })
  await reconcile()
  // Not until nothing waits: what the schedule noted while the clock was ahead waits for the next full minute.
  const bought = () => query('select status from purchases where user_id = $1', buyer.id)
  await vi.waitFor(async () => expect(await bought()).toEqual([{ status: 'active' }]), patience)
})

test('the schedule of jobs goes on, and what failed is tried again, when a clock that was ahead is set back', async () => {
  const minute = 60_000
  // Until just before a full minute of the clock that was ahead, whatever the time is.
  const before = (at: number) => minute - 3000 - (at % minute)
  const doneAt = async () => {
    const [row] = await query(
      `select last_execution from graphile_worker._private_known_crontabs where identifier = 'foldCourseDays'`,
    )
    return (row?.last_execution as Date | null)?.getTime() ?? null
  }
  await query(
    `update graphile_worker._private_known_crontabs set last_execution = now() + interval '2 days'`,
  )
  const { rows: failed } = await app.services.pool.query<{ id: string }>(
    `insert into graphile_worker._private_jobs (task_id, payload, run_at, attempts)
     select id, '{}', now() + interval '1 day', 1 from graphile_worker._private_tasks
      where identifier = 'foldCourseDays' returning id`,
  )
  const isAhead = await doneAt()
  expect(isAhead).toBeGreaterThan(Date.now())
  const warned = vi.spyOn(app.services.log, 'warn')
  onTestFinished(() => warned.mockRestore())
  // Further than it was set before, so that it is news.
  setClock(2 * day)
  // The node has to have seen this time to notice that it is over.
  await vi.waitFor(
    () => expect(warned).toHaveBeenCalledWith(expect.anything(), 'the clock was set forward'),
    patience,
  )
  const real = performance.timeOrigin + performance.now()
  setClock(before(real) - 6000)
  await vi.waitFor(async () => expect(await doneAt()).toBeLessThan(isAhead!), patience)
  const anew = (await doneAt())!
  const left = () =>
    query('select 1 from graphile_worker._private_jobs where id = $1', failed[0]?.id)
  await vi.waitFor(async () => expect(await left()).toEqual([]), patience)
  // When the schedule began anew after the minute was full, the next one is a whole minute away.
  await vi.waitFor(async () => expect(await doneAt()).toBeGreaterThan(anew), {
    ...patience,
    timeout: 2 * minute,
  })
})
