// Who applied by an invitation, and buys the course once the application is approved, came by the invitation.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { payHere } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { makeSoldCourse } from '../../../test/sold-course.ts'
import { courseApplications } from '../applications/tables.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { courseInvitations } from '../invitations/tables.ts'
import { checkouts } from '../payments/tables.ts'
import { coupons } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const db = () => app.services.db
const withCookie = async <Person extends { id: string }>(person: Person) => ({
  ...person,
  cookie: await sessionCookieOf(app.services, person.id),
})

/** A course for $29 that asks for applications, with two links to it. */
async function scene() {
  const { creator, course } = await makeSoldCourse(app.services)
  await db().update(courses).set({ applicationRequired: true }).where(eq(courses.id, course.id))
  const [link, other] = await db()
    .insert(courseInvitations)
    .values(['a', 'b'].map((kind) => ({ courseId: course.id, code: newCode(kind) })))
    .returning()
  return { creator: await withCookie(creator), course, link: link!, other: other! }
}
type Scene = Awaited<ReturnType<typeof scene>>

let made = 0
const newCode = (kind: string) => `${kind}-${++made}`.padEnd(22, 'x')

/** Applies by the first link, and is approved. */
async function approved({ creator, course, link }: Scene) {
  const buyer = await withCookie(await makePerson(app.services))
  const { body } = await app.request('/rest/v1/course_applications', {
    body: { courseId: course.id, answers: [], invitation: link.code },
    cookie: buyer.cookie,
  })
  const { status } = await app.request(
    `/rest/v1/courses/${course.id}/applications/${body.id}/review`,
    { body: { decision: 'approved' }, cookie: creator.cookie },
  )
  expect(status).toBe(200)
  return buyer
}
type Buyer = Awaited<ReturnType<typeof approved>>

const checkout = ({ course }: Scene, { cookie }: Buyer, more: object = {}) =>
  app.request('/functions/v1/course-checkout', { body: { course_id: course.id, ...more }, cookie })

async function buy(there: Scene, buyer: Buyer, more: object = {}) {
  const { status, body } = await checkout(there, buyer, more)
  expect(status).toBe(200)
  await payHere(app, body.url)
  await settled(app)
}

async function cameBy({ id }: Buyer) {
  const [row] = await db().select().from(enrollments).where(eq(enrollments.userId, id))
  return row?.invitationId
}
const usesOf = async ({ id }: { id: string }) =>
  (await db().select().from(courseInvitations).where(eq(courseInvitations.id, id)))[0]!.usesCount
const carriedBy = async ({ id }: Buyer) =>
  (await db().select().from(courseApplications).where(eq(courseApplications.userId, id)))[0]!
    .invitationId

test('is counted when the course is bought, once', async () => {
  const there = await scene()
  const buyer = await approved(there)
  expect(await usesOf(there.link)).toBe(0)
  await buy(there, buyer)
  expect([await cameBy(buyer), await usesOf(there.link)]).toEqual([there.link.id, 1])
  expect(await carriedBy(buyer), 'nothing is left to count').toBeNull()
})

test('is counted also when the invitation was closed after the application', async () => {
  const there = await scene()
  const buyer = await approved(there)
  await db()
    .update(courseInvitations)
    .set({ revokedAt: new Date() })
    .where(eq(courseInvitations.id, there.link.id))
  const refused = await checkout(there, buyer, { invitation: there.link.code })
  expect([refused.status, refused.body.code]).toEqual([410, 'INVITATION_CLOSED'])
  await buy(there, buyer)
  expect([await cameBy(buyer), await usesOf(there.link)]).toEqual([there.link.id, 1])
})

test('gives way to the invitation by which the person comes at last', async () => {
  const there = await scene()
  const buyer = await approved(there)
  await buy(there, buyer, { invitation: there.other.code })
  expect([await cameBy(buyer), await usesOf(there.other)]).toEqual([there.other.id, 1])
  expect([await usesOf(there.link), await carriedBy(buyer)]).toEqual([0, null])
})

test('is counted where a coupon leaves nothing to pay', async () => {
  const there = await scene()
  const buyer = await approved(there)
  await db().insert(coupons).values({ courseId: there.course.id, code: 'GIFT', percentOff: 100 })
  expect((await checkout(there, buyer, { coupon: 'GIFT' })).status).toBe(200)
  expect([await cameBy(buyer), await usesOf(there.link)]).toEqual([there.link.id, 1])
})

test('stays with the payment page that is open', async () => {
  const there = await scene()
  const buyer = await approved(there)
  const pages = [await checkout(there, buyer), await checkout(there, buyer)]
  expect(pages[1]!.body.url).toBe(pages[0]!.body.url)
  const rows = await db().select().from(checkouts).where(eq(checkouts.userId, buyer.id))
  expect(rows.map(({ invitationId }) => invitationId)).toEqual([there.link.id])
})
