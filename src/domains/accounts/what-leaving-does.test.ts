// What somebody is told before the account goes: of nothing, of one of everything, and of two.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  completeLessons,
  joinCourse,
  makeCase,
  makeComment,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
  makeReview,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { courseApplications } from '../applications/tables.ts'
import { planSubscriptions } from '../billing/tables.ts'
import { certificates } from '../certificates/tables.ts'
import { challengeEntries, challenges } from '../challenges/tables.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { paymentCustomers } from '../payments/tables.ts'
import { purchases } from '../purchases/tables.ts'
import { supportRequests } from '../support/tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

interface Course {
  id: string
  instructorId: string
}

/** As a member of a course, who does there whatever can be done. */
async function takesPart(person: { id: string }, course: Course, accountId: string) {
  const { services } = app
  const { db } = services
  const enrolled = { userId: person.id, courseId: course.id }
  await joinCourse(services, person, course)
  await completeLessons(services, person, course, 1)
  await makeReview(services, course, { by: person })
  const postId = await makePost(services, course, { by: person })
  await makeComment(services, postId, { by: person })
  const reported = await makePost(services, course)
  await makeCase(services, course, { postId: reported, by: person })
  await db.insert(courseApplications).values({ ...enrolled, status: 'approved' })
  await db.insert(certificates).values({
    ...enrolled,
    courseTitle: 'A course',
    credential: '',
    learnerName: 'Lea Learner',
    creatorName: 'Tea Teacher',
    look: { colour: null, logoUrl: null, heading: '', words: '', signatory: '' },
  })
  await db.insert(purchases).values({
    ...enrolled,
    courseTitle: 'A course',
    creatorAccountId: accountId,
    pricingType: 'one_time',
    amount: 2900,
    currency: 'usd',
  })
}

async function entersChallenge(userId: string, status: 'published' | 'closed') {
  const [made] = await app.services.db
    .insert(challenges)
    .values({
      slug: randomUUID(),
      kind: 'giveaway',
      title: 'A giveaway',
      rules: 'Take part.',
      prize: 'A prize',
      opensAt: new Date(0),
      closesAt: new Date(1),
      status,
      seedHash: 'a hash',
      sealedSeed: 'a seed',
    })
    .returning({ id: challenges.id })
  const number = status === 'closed' ? 1 : null
  await app.services.db.insert(challengeEntries).values({ challengeId: made!.id, userId, number })
}

async function personWith(times: number) {
  const { services } = app
  const { db } = services
  const person = await makePerson(services)
  for (let time = 0; time < times; time += 1) {
    const teacher = await makePerson(services)
    const [account] = await db
      .insert(ledgerAccounts)
      .values({ kind: 'creator', userId: teacher.id })
      .returning({ id: ledgerAccounts.id })
    await takesPart(person, await makeCourse(services, teacher), account!.id)
    await makeCourse(services, person)
    await makeMedia(services, person, { purpose: 'thumbnail' })
    await makeMedia(services, person, { purpose: 'thumbnail', status: 'uploading' })
    await entersChallenge(person.id, 'published')
    await entersChallenge(person.id, 'closed')
    await db.insert(supportRequests).values({
      userId: person.id,
      name: person.name,
      email: person.email,
      topic: 'other',
      subject: 'A question',
    })
  }
  return person
}

async function toldTo(person: { id: string }) {
  const cookie = await sessionCookieOf(app.services, person.id)
  const { status, body } = await app.request('/rest/v1/me/deletion', { cookie })
  expect(status).toBe(200)
  return body.consequences.map(
    ({ text, stays }: { text: string; stays: boolean }) => `${stays ? 'stays' : 'goes'}: ${text}`,
  )
}

test('nothing, of an account without anything', async () => {
  expect(await toldTo(await personWith(0))).toMatchInlineSnapshot(`
    [
      "goes: Your profile, your log-ins and your notifications are deleted.",
      "goes: You are signed out on every device.",
      "goes: Your email address is forgotten, and free to sign up with again.",
    ]
  `)
})

test('one of everything', async () => {
  expect(await toldTo(await personWith(1))).toMatchInlineSnapshot(`
    [
      "goes: You leave the course that you joined.",
      "goes: Your review is deleted, with the answers.",
      "goes: Your progress goes: 1 completed lesson, and where you left videos.",
      "goes: Your application to a course is deleted, with the answers.",
      "goes: Your post is deleted, with its comments and likes.",
      "goes: Your comment is deleted. Replies by others stay.",
      "goes: Your report of a post or comment is deleted. What was decided stays.",
      "goes: You lose the course that you bought. Nothing is paid back by itself.",
      "goes: Your certificate goes: its page is not found any more.",
      "goes: What you entered in challenges that go on is withdrawn.",
      "goes: Your course that nobody else is a member of is deleted, with lessons, pictures and videos.",
      "goes: The file that you uploaded (1 MB) is removed, except in courses that you keep for their members.",
      "goes: Your request for support is deleted, with the answers.",
      "goes: Your profile, your log-ins and your notifications are deleted.",
      "goes: You are signed out on every device.",
      "goes: Your email address is forgotten, and free to sign up with again.",
      "stays: What you paid stays in the books of the site, as the law asks, without you.",
      "stays: Your lines in the lists of past challenges stay, as those of a former creator.",
    ]
  `)
})

test('two of everything', async () => {
  expect(await toldTo(await personWith(2))).toMatchInlineSnapshot(`
    [
      "goes: You leave the 2 courses that you joined.",
      "goes: Your 2 reviews are deleted, with the answers.",
      "goes: Your progress goes: 2 completed lessons, and where you left videos.",
      "goes: Your 2 applications are deleted, with the answers.",
      "goes: Your 2 posts are deleted, with their comments and likes.",
      "goes: Your 2 comments are deleted. Replies by others stay.",
      "goes: Your 2 reports are deleted. What was decided stays.",
      "goes: You lose the 2 courses that you bought. Nothing is paid back by itself.",
      "goes: Your 2 certificates go: their pages are not found any more.",
      "goes: What you entered in challenges that go on is withdrawn.",
      "goes: Your 2 courses that nobody else is a member of are deleted, with lessons, pictures and videos.",
      "goes: The 2 files that you uploaded (1 MB) are removed, except in courses that you keep for their members.",
      "goes: Your 2 requests for support are deleted, with the answers.",
      "goes: Your profile, your log-ins and your notifications are deleted.",
      "goes: You are signed out on every device.",
      "goes: Your email address is forgotten, and free to sign up with again.",
      "stays: What you paid stays in the books of the site, as the law asks, without you.",
      "stays: Your lines in the lists of past challenges stay, as those of a former creator.",
    ]
  `)
})

test('months that are paid for end', async () => {
  const person = await personWith(1)
  const { db } = app.services
  const customerId = `cus_${randomUUID()}`
  await db.insert(paymentCustomers).values({ id: customerId, userId: person.id })
  const pro = { userId: person.id, customerId, plan: 'monthly', startedAt: new Date() } as const
  await db.insert(planSubscriptions).values([
    { ...pro, id: `sub_${randomUUID()}`, status: 'canceled' },
    { ...pro, id: `sub_${randomUUID()}`, status: 'incomplete_expired' },
  ])
  const before = await toldTo(person)
  await db
    .insert(planSubscriptions)
    .values({ ...pro, id: `sub_${randomUUID()}`, status: 'past_due' })
  await app.services.pool.query(
    `update purchases set pricing_type = 'monthly', subscription_id = $2 where user_id = $1`,
    [person.id, `sub_${randomUUID()}`],
  )
  const after = await toldTo(person)
  expect(after.filter((one: string) => !before.includes(one))).toMatchInlineSnapshot(`
    [
      "goes: You lose the course that you bought. Nothing is paid back by itself. Monthly payments end at once; what is left of a paid month is lost.",
      "goes: Your subscription to Pro ends at once. What is left of the paid period is not paid back.",
    ]
  `)
})
