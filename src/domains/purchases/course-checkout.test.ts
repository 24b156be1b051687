import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { payHere, switches } from '../../../test/sandbox.ts'
import { checkouts } from '../payments/tables.ts'
import { purchases } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
const people = (count: number) => Promise.all(Array.from({ length: count }, () => someone()))
type Buyer = Awaited<ReturnType<typeof someone>>

async function courseFor(price: number, type = 'one_time', owner?: { id: string }) {
  const course = await makeCourse(app.services, owner ?? (await makePerson(app.services)))
  await change(course.id, `pricing_type = '${type}', price_amount = ${price}`)
  return course
}
const change = (id: string, set: string) =>
  app.services.pool.query(`update courses set ${set} where id = $1`, [id])

const buy = (courseId: string, buyer: Buyer | null, more: object = {}) =>
  app.request('/functions/v1/course-checkout', {
    body: { course_id: courseId, ...more },
    cookie: buyer?.cookie,
  })
const stateOf = (slug: string, { cookie }: Buyer) =>
  app.request(`/rest/v1/courses/${slug}/checkout`, { cookie })
const rowsOf = ({ id }: Buyer) =>
  app.services.db.select().from(checkouts).where(eq(checkouts.userId, id))
const sessionsOf = async (buyer: Buyer) => {
  const { rows } = await app.services.pool.query(
    'select id from payment_customers where user_id = $1',
    [buyer.id],
  )
  return rows[0] ? stripe().checkout.sessions.list({ customer: rows[0].id }) : { data: [] }
}
const stripe = () => app.services.payments.stripe
const members = async (courseId: string) =>
  (
    await app.services.pool.query(
      `select e.user_id from enrollments e join courses c on c.id = e.course_id
        where e.course_id = $1 and e.user_id <> c.instructor_id`,
      [courseId],
    )
  ).rows.length

describe('buying', () => {
  test('leads to a payment page with our price, whatever the body says', async () => {
    const course = await courseFor(2900)
    const buyer = await someone()
    const { status, body } = await buy(course.id, buyer, {
      course_title: 'Nothing',
      price: 0.01,
      success_url: `/course/${course.slug}?success=true&from=here`,
    })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['url'])
    const [row] = await rowsOf(buyer)
    expect(row).toMatchObject({ amount: 2900, currency: 'usd', status: 'open', url: body.url })
    const session = await stripe().checkout.sessions.retrieve(row!.sessionId!)
    expect(session).toMatchObject({
      amount_total: 2900,
      currency: 'usd',
      mode: 'payment',
      success_url: `http://localhost:3000/course/${course.slug}?success=true&from=here`,
      cancel_url: `http://localhost:3000/course/${course.slug}?canceled=true`,
      metadata: { kind: 'course', courseId: course.id, checkoutId: row!.id },
    })
    expect(await stateOf(course.slug, buyer)).toMatchObject({ body: { status: 'open' } })
    expect(await members(course.id)).toBe(0)
  })

  test('of a monthly course leads to a subscription', async () => {
    const course = await courseFor(900, 'monthly')
    const buyer = await someone()
    await buy(course.id, buyer)
    const { data } = await sessionsOf(buyer)
    expect(data).toMatchObject([{ mode: 'subscription', amount_total: 900 }])
  })

  test('20 clicks at once and the next day’s are one payment page and one customer', async () => {
    const course = await courseFor(2900)
    const buyer = await someone()
    const answers = await Promise.all(Array.from({ length: 20 }, () => buy(course.id, buyer)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const again = await buy(course.id, buyer)
    expect(new Set([...answers, again].map(({ body }) => body.url)).size).toBe(1)
    expect((await sessionsOf(buyer)).data).toHaveLength(1)
    expect(await rowsOf(buyer)).toHaveLength(1)
    const customers = await stripe().customers.list({ email: buyer.email })
    expect(customers.data).toHaveLength(1)
  })

  test('at a new price closes the page with the old one', async () => {
    const course = await courseFor(2900)
    const buyer = await someone()
    const before = await buy(course.id, buyer)
    await change(course.id, 'price_amount = 3900')
    const after = await buy(course.id, buyer)
    expect(after.status).toBe(200)
    expect(after.body.url).not.toBe(before.body.url)
    const { data } = await sessionsOf(buyer)
    expect(data.map((one) => [one.status, one.amount_total])).toEqual([
      ['open', 3900],
      ['expired', 2900],
    ])
    expect((await rowsOf(buyer)).map(({ status }) => status).toSorted()).toEqual([
      'expired',
      'open',
    ])
  })

  test.each([
    '//evil.example/course',
    'https://localhost:3000.evil.example/',
    'javascript:alert(1)',
  ])('never leads back to %j', async (address) => {
    const course = await courseFor(2900)
    const buyer = await someone()
    for (const key of ['success_url', 'cancel_url']) {
      const { status, body } = await buy(course.id, buyer, { [key]: address })
      expect([status, body.message]).toEqual([
        422,
        'After paying you can return to a page of this site only.',
      ])
    }
    expect(await rowsOf(buyer)).toEqual([])
  })
})

describe('nobody pays', () => {
  const refused = async (courseId: string, buyer: Buyer | null, more: object = {}) => {
    const { status, body } = await buy(courseId, buyer, more)
    expect(buyer ? (await sessionsOf(buyer)).data : []).toEqual([])
    return [status, body.code]
  }

  test('without an account, or for what one has', async () => {
    const owner = await someone()
    const course = await courseFor(2900, 'one_time', owner)
    expect(await refused(course.id, null)).toEqual([401, 'UNAUTHORIZED'])
    expect(await refused(course.id, owner)).toEqual([409, 'OWN_COURSE'])
    const member = await someone()
    await joinCourse(app.services, member, course)
    expect(await refused(course.id, member)).toEqual([409, 'ALREADY_ENROLLED'])
    expect(await refused(crypto.randomUUID(), member)).toEqual([404, 'NOT_FOUND'])
  })

  test('for a free course, a draft, or without approval', async () => {
    const [buyer, administrator] = await Promise.all([someone(), someone()])
    const free = await courseFor(0, 'free')
    expect(await refused(free.id, buyer)).toEqual([409, 'FREE_COURSE'])
    const draft = await courseFor(2900)
    await change(draft.id, `status = 'draft'`)
    expect(await refused(draft.id, buyer)).toEqual([404, 'NOT_FOUND'])
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [
      administrator.id,
    ])
    expect(await refused(draft.id, administrator)).toEqual([404, 'NOT_FOUND'])
    const guarded = await courseFor(2900)
    await change(guarded.id, 'application_required = true')
    expect(await refused(guarded.id, buyer)).toEqual([403, 'APPLICATION_REQUIRED'])
    const invited = { invitation: 'x'.repeat(22) }
    const course = await courseFor(2900)
    expect(await refused(course.id, buyer, invited)).toEqual([410, 'INVITATION_CLOSED'])
  })

  test('for a full course, whatever the invitation; who is at the payment page has a seat', async () => {
    const course = await courseFor(2900)
    const invited = { invitation: 'x'.repeat(22) }
    const [buyer, late] = await people(2)
    await change(course.id, 'students_count = 24')
    expect((await buy(course.id, buyer!)).status).toBe(200)
    expect(await refused(course.id, late!, invited)).toEqual([403, 'COURSE_FULL'])
    expect((await buy(course.id, buyer!, invited)).body.code).toBe('INVITATION_CLOSED')
  })

  test('for a second time: who left comes back', async () => {
    const course = await courseFor(2900)
    const buyer = await someone()
    const { rows } = await app.services.pool.query(
      `insert into ledger_accounts (kind, user_id) values ('creator', $1) returning id`,
      [course.instructorId],
    )
    await app.services.db.insert(purchases).values({
      userId: buyer.id,
      courseId: course.id,
      courseTitle: 'A course',
      creatorAccountId: rows[0].id,
      pricingType: 'one_time',
      amount: 2900,
      currency: 'usd',
    })
    const { status, body } = await buy(course.id, buyer)
    expect([status, body]).toEqual([
      200,
      { url: `http://localhost:3000/course/${course.slug}/dashboard` },
    ])
    expect(await members(course.id)).toBe(1)
    expect(await rowsOf(buyer)).toEqual([])
  })

  test('more than there are seats: five people and the last one', async () => {
    const course = await courseFor(2900)
    await change(course.id, 'students_count = 24')
    const five = await people(5)
    const answers = await Promise.all(five.map((buyer) => buy(course.id, buyer)))
    const codes = answers.map(({ status, body }) => body.code ?? status).toSorted()
    expect(codes).toEqual([200, 'COURSE_FULL', 'COURSE_FULL', 'COURSE_FULL', 'COURSE_FULL'])
    const full = answers.find(({ status }) => status === 403)!
    expect(full.body.message).toBe(
      'This course has reached its maximum enrollment limit (25 students for free instructors)',
    )
    // Whose page holds the seat keeps it; when the page is over, somebody else gets it.
    const first = five[answers.findIndex(({ status }) => status === 200)]!
    expect((await buy(course.id, first)).status).toBe(200)
    await app.services.pool.query(
      `update checkouts set expires_at = now() - interval '1 minute' where user_id = $1`,
      [first.id],
    )
    const next = five.find((one) => one !== first)!
    expect((await buy(course.id, next)).status).toBe(200)
  })
})

describe('after paying', () => {
  afterEach(() => switches(app, { dropPercent: 0 }))

  test('whoever comes back is a member, though no webhook ever came', async () => {
    await switches(app, { dropPercent: 100 })
    const course = await courseFor(2900)
    const [returning, impatient] = await people(2)
    const pages = await Promise.all([buy(course.id, returning!), buy(course.id, impatient!)])
    const declined = await payHere(app, pages[0].body.url, { number: '4000000000000002' })
    expect(declined).toMatchObject({ message: expect.stringMatching(/declined/i) })
    expect((await stateOf(course.slug, returning!)).body).toEqual({ status: 'open' })
    for (const { body } of pages) await payHere(app, body.url)
    await app.services.pool.query('delete from rate_limits')
    expect((await stateOf(course.slug, returning!)).body).toEqual({ status: 'paid' })
    // Instead of coming back: the button once more.
    const again = await buy(course.id, impatient!)
    expect([again.status, again.body.code]).toEqual([409, 'ALREADY_ENROLLED'])
    expect(await members(course.id)).toBe(2)
    const stranger = await stateOf(course.slug, await someone())
    expect(stranger.body).toEqual({ status: 'none' })
  })

  test('at the old price, just when the new one is asked for, that counts', async () => {
    await switches(app, { dropPercent: 100 })
    const course = await courseFor(2900)
    const buyer = await someone()
    const page = await buy(course.id, buyer)
    await payHere(app, page.body.url)
    await change(course.id, 'price_amount = 9900')
    expect((await buy(course.id, buyer)).body.code).toBe('ALREADY_ENROLLED')
    expect((await sessionsOf(buyer)).data).toHaveLength(1)
  })
})

describe('while the payment provider', () => {
  afterEach(() => switches(app, { apiStatus: 0, apiDelayMs: 0 }))

  test('answers 500, nothing is sold, and the next try goes on with the same row', async () => {
    const course = await courseFor(2900)
    const buyer = await someone()
    await switches(app, { apiStatus: 500 })
    const failed = await buy(course.id, buyer)
    expect([failed.status, failed.body.message]).toEqual([
      503,
      'Server error occurred. Please try again later.',
    ])
    const [before] = await rowsOf(buyer)
    expect(before).toMatchObject({ status: 'open', url: null, sessionId: null })
    await switches(app, { apiStatus: 0 })
    const { status, body } = await buy(course.id, buyer)
    expect(status).toBe(200)
    expect(await rowsOf(buyer)).toMatchObject([{ id: before!.id, url: body.url }])
  })

  test('is slow, the page that it made after all is the one of the next try', async () => {
    const course = await courseFor(2900)
    const buyer = await someone()
    // So that it is the payment page that is slow, not the customer.
    await buy((await courseFor(100)).id, buyer)
    const { payments } = app.services
    const patient = payments.stripe
    expect(patient.getApiField('timeout')).toBe(10_000)
    const { host, port, secretKey } = payments.sandbox!
    payments.stripe = new Stripe(secretKey, {
      host,
      port,
      protocol: 'http',
      timeout: 150,
      maxNetworkRetries: 0,
    })
    await switches(app, { apiDelayMs: 600 })
    const slow = await buy(course.id, buyer)
    expect([slow.status, slow.body.message]).toEqual([
      503,
      'Unable to connect to the payment service. Please check your internet connection and try again.',
    ])
    payments.stripe = patient
    await switches(app, { apiDelayMs: 0 })
    expect((await buy(course.id, buyer)).status).toBe(200)
    expect((await sessionsOf(buyer)).data).toHaveLength(2)
    expect((await stripe().customers.list({ email: buyer.email })).data).toHaveLength(1)
  })

  test('was down for long, or the course was renamed, another row is made', async () => {
    const course = await courseFor(2900)
    const [late, renamed] = [await someone(), await someone()]
    await switches(app, { apiStatus: 503 })
    await buy(course.id, late)
    await switches(app, { apiStatus: 0 })
    await app.services.pool.query(
      `update checkouts set expires_at = now() + interval '29 minutes' where user_id = $1`,
      [late.id],
    )
    expect((await buy(course.id, late)).status).toBe(200)
    expect(await rowsOf(late)).toHaveLength(2)
    await buy(course.id, renamed)
    // As if the answer had been lost.
    await app.services.pool.query(
      'update checkouts set session_id = null, url = null where user_id = $1',
      [renamed.id],
    )
    await change(course.id, `title = 'Another title'`)
    expect((await buy(course.id, renamed)).status).toBe(200)
    expect((await rowsOf(renamed)).map(({ status }) => status).toSorted()).toEqual([
      'expired',
      'open',
    ])
  })
})
