// What a newcomer is enrolled in.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson } from '../../../test/factories.ts'
import { mailTo } from '../../../test/mailbox.ts'
import { courses } from '../courses/tables.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { settings } from '../site/tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

beforeEach(async () => {
  await app.services.db.delete(settings)
  await app.services.db.delete(courses)
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

const course = async (title: string, days: number, facts: { status?: 'draft' } = {}) =>
  makeCourse(app.services, await makePerson(app.services), {
    title,
    publishedAt: daysAgo(days),
    ...facts,
  })

const change = (courseId: string, values: Partial<typeof courses.$inferInsert>) =>
  app.services.db.update(courses).set(values).where(eq(courses.id, courseId))

async function fill(filled: { id: string; instructorId: string }) {
  for (let student = 0; student < 25; student++) {
    await joinCourse(app.services, await makePerson(app.services), filled)
  }
}

/** Titles that the newcomer finds on the dashboard. */
async function found({ cookie }: Person): Promise<string[]> {
  const { body } = await app.request('/rest/v1/dashboard', { cookie })
  return body.enrolled.map(({ title }: { title: string }) => title)
}

/** Notices and mails that the newcomer was left. */
async function welcomes({ id, email }: Person) {
  const { rows } = await app.services.pool.query(
    'select title, message, href from notifications where user_id = $1',
    [id],
  )
  const mail = await mailTo(app, email, /^Welcome to Thunder$/)
  return [...rows, { mail: mail.text.replaceAll(/\s+/g, ' ') }]
}

const welcome = (message: string, href: string, mail: string) => [
  { title: 'Welcome to Thunder Bootcamp!', message, href },
  { mail: expect.stringContaining(mail) },
]
const enrolledIn = (what: string) =>
  `You have been enrolled in ${what}. Open it from your dashboard whenever you like.`
const nothing = 'Your account is ready. Find a course to begin with, or make one of your own.'

describe('without a flagship', () => {
  test('the oldest published free course is the one', async () => {
    await course('Newest', 1)
    const older = await course('Older draft', 9)
    await change(older.id, { status: 'draft', publishedAt: null })
    await change((await course('Older and paid', 8)).id, {
      pricingType: 'one_time',
      priceAmount: 2900,
    })
    await change((await course('Older and monthly', 7)).id, {
      pricingType: 'monthly',
      priceAmount: 900,
    })
    const oldest = await course('Oldest free', 5)
    await course('Between', 3)
    const newcomer = await app.signUp()
    expect(await found(newcomer)).toEqual(['Oldest free'])
    const href = `/course/${oldest.slug}/continue`
    expect(await welcomes(newcomer)).toEqual(
      welcome(enrolledIn('“Oldest free”'), href, '“Oldest free” is waiting on your dashboard'),
    )
    expect(await welcomes(newcomer)).toContainEqual({ mail: expect.stringContaining(href) })
    const { body } = await app.request(`/rest/v1/courses/${oldest.slug}`)
    expect(body.studentsCount, 'a student like any other').toBe(1)
  })

  test('nothing to join is no reason to fail', async () => {
    await change((await course('Paid', 1)).id, { pricingType: 'one_time', priceAmount: 2900 })
    const newcomer = await app.signUp()
    expect(await found(newcomer)).toEqual([])
    expect(await welcomes(newcomer)).toEqual(welcome(nothing, '/explore', nothing))
  })

  test('neither is a full one, and it takes no 26th student', async () => {
    const full = await course('Full', 5)
    await fill(full)
    const newcomer = await app.signUp()
    expect(await found(newcomer)).toEqual([])
    expect(await welcomes(newcomer)).toEqual(welcome(nothing, '/explore', nothing))
    const { body } = await app.request(`/rest/v1/courses/${full.slug}`)
    expect(body.studentsCount).toBe(25)
  })
})

describe('with a flagship', () => {
  test('everybody joins it, older courses or not, full or not', async () => {
    await course('Older', 9)
    const flagship = await course('Flagship', 1)
    await setFlagshipCourse(app.services.db, flagship.id)
    await fill(flagship)
    const newcomer = await app.signUp()
    expect(await found(newcomer)).toEqual(['Flagship'])
    expect(await welcomes(newcomer)).toEqual(
      welcome(
        enrolledIn('our starter course'),
        `/course/${flagship.slug}/continue`,
        'a short starter course is waiting on your dashboard',
      ),
    )
    const { body } = await app.request(`/rest/v1/courses/${flagship.slug}`)
    expect(body.studentsCount).toBe(26)
  })

  test('one that is no longer shown leaves its place to the oldest', async () => {
    await course('Older', 9)
    const flagship = await course('Flagship', 1)
    await setFlagshipCourse(app.services.db, flagship.id)
    await change(flagship.id, { status: 'draft', publishedAt: null })
    const newcomer = await app.signUp()
    expect(await found(newcomer)).toEqual(['Older'])
    expect((await welcomes(newcomer))[0]).toMatchObject({ message: enrolledIn('“Older”') })
  })
})
