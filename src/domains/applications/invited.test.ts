// Who comes by an invitation to a course that asks for applications: the application carries it.
import { and, eq, ne } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { courseInvitations } from '../invitations/tables.ts'
import { carryOutDecision } from './carry-out-decision.ts'
import { courseApplicationDecisions, courseApplications } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

async function guardedCourse() {
  const instructor = await someone()
  const course = { ...(await makeCourse(app.services, instructor)), instructor }
  await change(course, { applicationRequired: true })
  return course
}
type Guarded = Awaited<ReturnType<typeof guardedCourse>>

const change = ({ id }: { id: string }, facts: Partial<typeof courses.$inferInsert>) =>
  app.services.db.update(courses).set(facts).where(eq(courses.id, id))

async function linkTo(course: Guarded, limits: object = {}) {
  const { body } = await app.request(`/rest/v1/courses/${course.id}/invitations`, {
    body: limits,
    cookie: course.instructor.cookie,
  })
  return { id: body.id as string, code: body.url.split('/').at(-1) as string }
}
type Link = Awaited<ReturnType<typeof linkTo>>

const revoke = (course: Guarded, { id }: Link) =>
  app.request(`/rest/v1/courses/${course.id}/invitations/${id}`, {
    method: 'DELETE',
    cookie: course.instructor.cookie,
  })
const send = (course: Guarded, { cookie }: Someone, invitation?: string) =>
  app.request('/rest/v1/course_applications', {
    body: { courseId: course.id, answers: [], invitation },
    cookie,
  })
const review = (course: Guarded, applicationId: string, decision: string) =>
  app.request(`/rest/v1/courses/${course.id}/applications/${applicationId}/review`, {
    body: { decision },
    cookie: course.instructor.cookie,
  })
const enroll = (course: Guarded, { cookie }: Someone, invitation?: string) =>
  app.request('/rest/v1/enrollments', { body: { courseId: course.id, invitation }, cookie })
const leave = (course: Guarded, { cookie }: Someone) =>
  app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', cookie })

/** Somebody new applies. */
async function applicant(course: Guarded, invitation?: string) {
  const person = await someone()
  const { status, body } = await send(course, person, invitation)
  expect(status).toBe(200)
  return { ...person, applicationId: body.id as string }
}

async function approved(course: Guarded, invitation?: string) {
  const person = await applicant(course, invitation)
  expect((await review(course, person.applicationId, 'approved')).status).toBe(200)
  return person
}

const carriedBy = async ({ applicationId }: { applicationId: string }) =>
  (
    await app.services.db
      .select({ invitationId: courseApplications.invitationId })
      .from(courseApplications)
      .where(eq(courseApplications.id, applicationId))
  )[0]!.invitationId
/** By which invitation each came who is in the course. */
const membersOf = async ({ id, instructor }: Guarded) =>
  new Map(
    (
      await app.services.db
        .select({ userId: enrollments.userId, invitationId: enrollments.invitationId })
        .from(enrollments)
        .where(and(eq(enrollments.courseId, id), ne(enrollments.userId, instructor.id)))
    ).map(({ userId, invitationId }) => [userId, invitationId]),
  )
const usesOf = async (course: Guarded, { id }: Link) => {
  const { body } = await app.request(`/rest/v1/courses/${course.id}/invitations`, {
    cookie: course.instructor.cookie,
  })
  return body.invitations.find((one: { id: string }) => one.id === id).usesCount as number
}

describe('an application by an invitation', () => {
  test('is counted when it is approved, not before, and not again for who comes back', async () => {
    const course = await guardedCourse()
    const link = await linkTo(course, { maxUses: 3 })
    const ann = await applicant(course, link.code)
    expect([await carriedBy(ann), await usesOf(course, link)]).toEqual([link.id, 0])
    await review(course, ann.applicationId, 'approved')
    expect(await usesOf(course, link)).toBe(1)
    expect(await membersOf(course)).toEqual(new Map([[ann.id, link.id]]))
    await leave(course, ann)
    expect((await enroll(course, ann)).status).toBe(200)
    expect(await usesOf(course, link)).toBe(1)
  })

  test('is not counted when it is rejected', async () => {
    const course = await guardedCourse()
    const link = await linkTo(course)
    const ann = await applicant(course, link.code)
    await review(course, ann.applicationId, 'rejected')
    expect(await usesOf(course, link)).toBe(0)
    expect(await membersOf(course)).toEqual(new Map())
  })

  test('is counted by a decision about many, each by its own', async () => {
    const course = await guardedCourse()
    const [first, second] = [await linkTo(course), await linkTo(course)]
    const people = [
      await applicant(course, first.code),
      await applicant(course, first.code),
      await applicant(course, second.code),
      await applicant(course),
    ]
    const { body } = await app.request(`/rest/v1/courses/${course.id}/application-decisions`, {
      body: {
        applicationIds: people.map(({ applicationId }) => applicationId),
        decision: 'approved',
      },
      cookie: course.instructor.cookie,
    })
    const { decisionId } = body
    await app.services.db
      .update(courseApplicationDecisions)
      .set({ applyAt: new Date(Date.now() - 1000) })
      .where(eq(courseApplicationDecisions.id, decisionId))
    await carryOutDecision({ decisionId }, app.services)
    expect([await usesOf(course, first), await usesOf(course, second)]).toEqual([2, 1])
    const cameBy = [first.id, first.id, second.id, null]
    expect(await membersOf(course)).toEqual(
      new Map(people.map(({ id }, index) => [id, cameBy[index]])),
    )
  })

  test('that is revoked, expired, used up, of another course or made up goes without it', async () => {
    const [course, other] = [await guardedCourse(), await guardedCourse()]
    const [revoked, expired, usedUp] = [
      await linkTo(course),
      await linkTo(course),
      await linkTo(course, { maxUses: 1 }),
    ]
    const foreign = await linkTo(other)
    await revoke(course, revoked)
    await app.services.db
      .update(courseInvitations)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(courseInvitations.id, expired.id))
    await approved(course, usedUp.code)
    const codes = [revoked, expired, usedUp, foreign].map(({ code }) => code)
    for (const code of [...codes, 'A'.repeat(22), 'NUL \0', '']) {
      const ann = await applicant(course, code)
      expect(await carriedBy(ann), code).toBeNull()
    }
    const late = await applicant(course, revoked.code)
    await review(course, late.applicationId, 'approved')
    expect((await membersOf(course)).get(late.id)).toBeNull()
    expect([await usesOf(course, revoked), await usesOf(other, foreign)]).toEqual([0, 0])
  })

  test('is counted also when the invitation was closed before it was approved', async () => {
    const course = await guardedCourse()
    const [revoked, single] = [await linkTo(course), await linkTo(course, { maxUses: 1 })]
    const ann = await applicant(course, revoked.code)
    const [bob, cleo] = [await applicant(course, single.code), await applicant(course, single.code)]
    await revoke(course, revoked)
    for (const { applicationId } of [ann, bob, cleo]) {
      expect((await review(course, applicationId, 'approved')).status).toBe(200)
    }
    expect([await usesOf(course, revoked), await usesOf(course, single)]).toEqual([1, 2])
    expect(await membersOf(course)).toEqual(
      new Map([
        [ann.id, revoked.id],
        [bob.id, single.id],
        [cleo.id, single.id],
      ]),
    )
  })

  test('is approved without it when it is gone', async () => {
    const course = await guardedCourse()
    const link = await linkTo(course)
    const ann = await applicant(course, link.code)
    await app.services.db.delete(courseInvitations).where(eq(courseInvitations.id, link.id))
    expect((await review(course, ann.applicationId, 'approved')).status).toBe(200)
    expect(await membersOf(course)).toEqual(new Map([[ann.id, null]]))
  })

  test('of who has joined meanwhile is counted once', async () => {
    const course = await guardedCourse()
    const link = await linkTo(course)
    const ann = await applicant(course, link.code)
    await change(course, { applicationRequired: false })
    expect((await enroll(course, ann, link.code)).status).toBe(200)
    await review(course, ann.applicationId, 'approved')
    expect(await usesOf(course, link)).toBe(1)
    await change(course, { applicationRequired: true })
    await leave(course, ann)
    expect((await enroll(course, ann)).status).toBe(200)
    expect(await usesOf(course, link)).toBe(1)
  })

  test('that was approved while the course had a price is counted when the person joins, once', async () => {
    const course = await guardedCourse()
    const [link, other] = [await linkTo(course), await linkTo(course)]
    await change(course, { pricingType: 'one_time', priceAmount: 2900 })
    const ann = await approved(course, link.code)
    const bob = await approved(course, link.code)
    expect(await usesOf(course, link)).toBe(0)
    await change(course, { pricingType: 'free', priceAmount: 0 })
    for (const again of [false, true]) {
      if (again) await leave(course, ann)
      expect((await enroll(course, ann)).status).toBe(200)
      expect(await usesOf(course, link)).toBe(1)
      expect(await membersOf(course)).toEqual(new Map([[ann.id, again ? null : link.id]]))
    }
    // Whoever comes by another one at last has come by that.
    expect((await enroll(course, bob, other.code)).status).toBe(200)
    await leave(course, bob)
    expect((await enroll(course, bob)).status).toBe(200)
    expect([await usesOf(course, link), await usesOf(course, other)]).toEqual([1, 1])
  })

  test('asks the database one thing more', async () => {
    const course = await guardedCourse()
    const { code } = await linkTo(course)
    const watched = watchStatements(app)
    const asked = async (invitation?: string) => {
      const person = await someone()
      return (await watched.during(() => send(course, person, invitation))).length
    }
    // The first of all finds nothing remembered.
    await asked()
    expect(await asked(code)).toBe((await asked()) + 1)
  })
})
