import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { closeCheckout } from '../payments/close-checkout.ts'
import { checkouts, couponRedemptions } from '../payments/tables.ts'
import { couponIsOpen, reducedPrice } from './rules.ts'
import { coupons, purchases } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
const people = (count: number) => Promise.all(Array.from({ length: count }, someone))
type Person = Awaited<ReturnType<typeof someone>>

async function pricedCourse(type = 'one_time', owner?: Person) {
  const instructor = owner ?? (await someone())
  const course = await makeCourse(app.services, instructor)
  await app.services.pool.query(
    'update courses set pricing_type = $2, price_amount = 2000 where id = $1',
    [course.id, type],
  )
  return { ...course, instructor }
}
type Course = Awaited<ReturnType<typeof pricedCourse>>

const create = ({ id, instructor }: Course, facts: object) =>
  app.request(`/rest/v1/courses/${id}/coupons`, { body: facts, cookie: instructor.cookie })
const update = ({ id, instructor }: Course, couponId: string, change: object) =>
  app.request(`/rest/v1/courses/${id}/coupons/${couponId}`, {
    method: 'PATCH',
    body: change,
    cookie: instructor.cookie,
  })
const quote = ({ slug }: Course, code: string, person?: Person) =>
  app.request(`/rest/v1/courses/${slug}/coupon-quote`, { body: { code }, cookie: person?.cookie })
const buy = ({ id }: Course, coupon: string, person: Person) =>
  app.request('/functions/v1/course-checkout', {
    body: { course_id: id, coupon },
    cookie: person.cookie,
  })
const stored = async (id: string) => {
  const [coupon] = await app.services.db.select().from(coupons).where(eq(coupons.id, id))
  const uses = await app.services.db
    .select()
    .from(couponRedemptions)
    .where(eq(couponRedemptions.couponId, id))
  expect(coupon!.redemptionsCount).toBe(uses.length)
  return { ...coupon!, uses }
}
/** As the creator reads it: uses, and those of them that are not paid yet. */
async function counted({ id, instructor }: Course) {
  const { body } = await app.request(`/rest/v1/courses/${id}/coupons`, {
    cookie: instructor.cookie,
  })
  const [{ redemptionsCount, heldCount }] = body.coupons
  return [redemptionsCount, heldCount]
}
const checkoutOf = async ({ id }: Person) => {
  const rows = await app.services.db.select().from(checkouts).where(eq(checkouts.userId, id))
  return rows.find(({ status }) => status === 'open')
}
const wrong = 'This coupon code is not valid for this course.'

describe('a coupon', () => {
  test('is made by the instructor, once for each code', async () => {
    const course = await pricedCourse()
    const made = await create(course, { code: ' spring-26 ', percentOff: 20 })
    expect(made).toMatchObject({
      status: 200,
      body: {
        code: 'SPRING-26',
        percentOff: 20,
        amountOff: null,
        maxRedemptions: null,
        maxPerPerson: 1,
        redemptionsCount: 0,
        isActive: true,
      },
    })
    const twice = await create(course, { code: 'Spring-26', amountOff: 100 })
    expect([twice.status, twice.body.code]).toEqual([409, 'CODE_TAKEN'])
    // Another course has codes of its own.
    const other = await pricedCourse('one_time', course.instructor)
    expect((await create(other, { code: 'SPRING-26', percentOff: 20 })).status).toBe(200)
    const list = await app.request(`/rest/v1/courses/${course.id}/coupons`, {
      cookie: course.instructor.cookie,
    })
    expect(list.body.coupons).toEqual([made.body])
    const elsewhere = await update(other, made.body.id, { isActive: false })
    expect([elsewhere.status, elsewhere.body.message]).toEqual([404, 'Coupon not found'])
  })

  test.each([
    [{ code: 'SHORT', percentOff: 10 }, 'A code needs at least 6 characters'],
    [{ code: 'HAS SPACE', percentOff: 10 }, 'A code has letters, digits and hyphens'],
    [{ code: 'X'.repeat(41), percentOff: 10 }, 'A code can have at most 40 characters'],
    [{ code: 'NOTHING' }, 'Choose a percentage or an amount'],
    [{ code: 'BOTH-OF-IT', percentOff: 10, amountOff: 5 }, 'Choose a percentage or an amount'],
    [{ code: 'TOO-MUCH', percentOff: 101 }, 'The percentage can be at most 100'],
    [{ code: 'NEGATIVE', amountOff: -5 }, 'Enter an amount'],
    [
      {
        code: 'BACKWARDS',
        percentOff: 5,
        startsAt: '2026-02-01T00:00:00Z',
        endsAt: '2026-01-01T00:00:00Z',
      },
      'The end must be after the start',
    ],
  ])('that says %j is refused in words', async (facts, message) => {
    const course = await pricedCourse()
    const { status, body } = await create(course, facts)
    expect([status, body.message]).toEqual([422, message])
  })

  test('can be limited further and switched off, but not below what was used', async () => {
    const course = await pricedCourse()
    const { body } = await create(course, {
      code: 'LIMITED',
      percentOff: 50,
      startsAt: '2026-01-01T00:00:00Z',
    })
    const [first, second, third] = await people(3)
    await Promise.all([buy(course, 'LIMITED', first!), buy(course, 'LIMITED', second!)])
    const below = await update(course, body.id, { maxRedemptions: 1 })
    expect([below.status, below.body.message]).toEqual([
      409,
      'It is used, or about to be, 2 times already: choose at least that',
    ])
    expect(await counted(course)).toEqual([2, 2])
    const early = await update(course, body.id, { endsAt: '2025-01-01T00:00:00Z' })
    expect([early.status, early.body.message]).toEqual([409, 'The end must be after the start'])
    expect((await update(course, body.id, { maxRedemptions: 2 })).body.maxRedemptions).toBe(2)
    expect((await buy(course, 'LIMITED', third!)).body.message).toBe(wrong)
    expect((await update(course, body.id, { maxRedemptions: null })).status).toBe(200)
    expect((await buy(course, 'LIMITED', third!)).status).toBe(200)
    expect((await update(course, body.id, { isActive: false })).body.isActive).toBe(false)
    expect((await quote(course, 'LIMITED', first!)).body.message).toBe(wrong)
  })
})

describe('a code', () => {
  test('that does not hold is answered like one that never was', async () => {
    const course = await pricedCourse()
    const elsewhere = await pricedCourse()
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
    const kinds: [Course, object][] = [
      [elsewhere, { code: 'ELSEWHERE' }],
      [course, { code: 'NOT-YET', startsAt: day(1) }],
      [course, { code: 'NO-MORE', startsAt: day(-2), endsAt: day(-1) }],
      [course, { code: 'USED-UP', maxRedemptions: 1 }],
      [course, { code: 'SWITCHED-OFF' }],
    ]
    for (const [of, facts] of kinds) {
      const { body } = await create(of, { percentOff: 50, ...facts })
      if (body.code === 'SWITCHED-OFF') await update(of, body.id, { isActive: false })
    }
    await buy(course, 'USED-UP', await someone())
    const answers = []
    const codes = ['ELSEWHERE', 'NOT-YET', 'NO-MORE', 'USED-UP', 'SWITCHED-OFF', 'NEVER-WAS', '\0']
    for (const code of codes) {
      const [asking, buying] = await people(2)
      answers.push(await quote(course, code, asking), await buy(course, code, buying!))
    }
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([422, answers[0]!.body])
    }
    expect(answers[0]!.body).toMatchObject({ code: 'INVALID_COUPON', message: wrong })
    expect((await quote(course, 'ELSEWHERE')).status).toBe(401)
  })

  test('cannot be found by trying: ten wrong ones, then nobody is told', async () => {
    const course = await pricedCourse()
    await create(course, { code: 'TREASURE', percentOff: 50 })
    const thief = await someone()
    const many = await Promise.all(
      Array.from({ length: 24 }, (_, place) =>
        place % 2 ? quote(course, `GUESS-${place}`, thief) : buy(course, `GUESS-${place}`, thief),
      ),
    )
    const statuses = many.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(10).fill(422), ...Array(14).fill(429)])
    const right = await quote(course, 'TREASURE', thief)
    expect([right.status, right.body.message]).toEqual([
      429,
      'You have tried many coupon codes. Please wait ten minutes before you try another.',
    ])
    // Right ones are not counted; the instructor's wrong ones are.
    const honest = await someone()
    for (let count = 0; count < 12; count += 1) await quote(course, 'treasure', honest)
    expect(await quote(course, ' treasure ', honest)).toMatchObject({
      status: 200,
      body: { code: 'TREASURE', percentOff: 50, priceAmount: 2000, amount: 1000, currency: 'usd' },
    })
    const { instructor } = course
    const own = await Promise.all(
      Array.from({ length: 11 }, (_, place) => quote(course, `MY-OWN-${place}`, instructor)),
    )
    expect(own.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('a use', () => {
  test('is held by a payment page, and free again when that is over', async () => {
    const course = await pricedCourse()
    const { body } = await create(course, { code: 'ONLY-ONE', amountOff: 500, maxRedemptions: 1 })
    const [first, second] = await people(2)
    const page = await buy(course, 'ONLY-ONE', first!)
    const row = await checkoutOf(first!)
    expect(row).toMatchObject({ amount: 1500, couponId: body.id })
    // Who holds it is quoted it still, and led to the same page.
    expect((await quote(course, 'ONLY-ONE', first!)).body.amount).toBe(1500)
    expect((await buy(course, 'ONLY-ONE', first!)).body.url).toBe(page.body.url)
    expect((await buy(course, 'ONLY-ONE', second!)).body.message).toBe(wrong)
    const close = () =>
      app.services.db.transaction((transaction) => closeCheckout(transaction, row!.id, 'expired'))
    expect(await close()).toBe(true)
    expect(await close()).toBe(false)
    expect(await stored(body.id)).toMatchObject({ uses: [] })
    expect((await buy(course, 'ONLY-ONE', second!)).status).toBe(200)
    // Money that comes late is taken all the same; the use is not taken twice.
    const late = await app.services.db.transaction((transaction) =>
      closeCheckout(transaction, row!.id, 'paid'),
    )
    expect(late).toBe(true)
    expect((await stored(body.id)).uses).toMatchObject([{ userId: second!.id }])
  })

  test('goes back when somebody decides to buy without it', async () => {
    const course = await pricedCourse()
    const { body } = await create(course, { code: 'ON-SECOND-THOUGHT', percentOff: 10 })
    const buyer = await someone()
    await buy(course, 'ON-SECOND-THOUGHT', buyer)
    expect((await stored(body.id)).uses).toHaveLength(1)
    const plain = await app.request('/functions/v1/course-checkout', {
      body: { course_id: course.id },
      cookie: buyer.cookie,
    })
    expect(plain.status).toBe(200)
    expect(await checkoutOf(buyer)).toMatchObject({ amount: 2000, couponId: null })
    expect((await stored(body.id)).uses).toEqual([])
  })

  test('that is the only one goes to one of 20 people at once', async () => {
    const course = await pricedCourse()
    const { body } = await create(course, { code: 'HALF-PRICE', percentOff: 50, maxRedemptions: 1 })
    const many = await people(20)
    const answers = await Promise.all(many.map((person) => buy(course, 'HALF-PRICE', person)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body: said }) => said.message === wrong)).toHaveLength(19)
    expect((await stored(body.id)).uses).toHaveLength(1)
  })

  test('for everything enrols without a payment page, and once: also of 20 clicks', async () => {
    const course = await pricedCourse('monthly')
    const gift = { code: 'A-PRESENT', percentOff: 100, maxRedemptions: 1, maxPerPerson: 1 }
    const { body } = await create(course, gift)
    const [glad, other] = await people(2)
    const clicks = [
      ...Array.from({ length: 10 }, () => buy(course, 'A-PRESENT', glad!)),
      ...Array.from({ length: 10 }, () => buy(course, 'A-PRESENT', other!)),
    ]
    const answers = await Promise.all(clicks)
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken.map(({ body: said }) => said)).toEqual([
      { url: `http://localhost:3000/course/${course.slug}/dashboard` },
    ])
    expect(await counted(course)).toEqual([1, 0])
    const { uses } = await stored(body.id)
    const bought = await app.services.db
      .select()
      .from(purchases)
      .where(eq(purchases.courseId, course.id))
    expect(bought).toMatchObject([
      { id: uses[0]!.purchaseId, userId: uses[0]!.userId, amount: 0, subscriptionId: null },
    ])
    const { rows } = await app.services.pool.query(
      'select id from enrollments where course_id = $1 and user_id = $2',
      [course.id, uses[0]!.userId],
    )
    expect(rows).toHaveLength(1)
    expect(await checkoutOf(glad!)).toBeUndefined()
    expect(await checkoutOf(other!)).toBeUndefined()
  })
})

test('the reduced price is never negative, and never too little to be paid', () => {
  const off = (price: number, percentOff: number | null, amountOff: number | null) =>
    reducedPrice(price, { percentOff, amountOff })
  expect([off(2000, 33, null), off(999, 50, null), off(2000, 100, null)]).toEqual([1340, 499, 0])
  expect([off(2000, null, 1950), off(2000, null, 1951), off(2000, null, 9999)]).toEqual([50, 0, 0])
})

test('the window and the limits of a coupon', () => {
  const now = new Date('2026-06-01T00:00:00Z')
  const free = {
    isActive: true,
    startsAt: null,
    endsAt: null,
    maxRedemptions: null,
    maxPerPerson: 2,
  }
  const unused = { all: 0, byPerson: 0 }
  expect(couponIsOpen({ ...free, startsAt: now }, unused, now)).toBe(true)
  expect(couponIsOpen({ ...free, endsAt: now }, unused, now)).toBe(false)
  expect(couponIsOpen(free, { all: 9, byPerson: 1 }, now)).toBe(true)
  expect(couponIsOpen(free, { all: 9, byPerson: 2 }, now)).toBe(false)
  expect(couponIsOpen({ ...free, maxRedemptions: 9 }, { all: 9, byPerson: 1 }, now)).toBe(false)
})
