// What a newcomer is enrolled in.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson } from '../../../test/factories.ts'
import { jobsDone, mailsTo, mailTo } from '../../../test/mailbox.ts'
import { courses } from '../courses/tables.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { settings } from '../site/tables.ts'
import { sendWelcomeMail } from './emails.ts'
import { welcomeNewcomer } from './welcome-newcomer.ts'

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

  test('one that asks for an application first is not', async () => {
    await change((await course('Asks first', 9)).id, { applicationRequired: true })
    const open = await course('Open ⚡', 5)
    const newcomer = await app.signUp()
    expect(await found(newcomer)).toEqual(['Open ⚡'])
    expect(await welcomes(newcomer)).toEqual(
      welcome(
        enrolledIn('“Open”'),
        `/course/${open.slug}/continue`,
        '“Open” is waiting on your dashboard.',
      ),
    )
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

describe('a welcome', () => {
  test('comes once, however often it is asked for', async () => {
    await course('Only', 1)
    const newcomer = await app.signUp()
    await mailTo(app, newcomer.email, /^Welcome/)
    const { db, pool } = app.services
    const stored = async () =>
      (await pool.query('select username, welcomed_at from users where id = $1', [newcomer.id]))
        .rows[0]
    const before = await stored()
    await Promise.all([welcomeNewcomer(db, newcomer.id), welcomeNewcomer(db, newcomer.id)])
    expect(await stored()).toEqual(before)
    await jobsDone(app)
    expect(await welcomes(newcomer)).toHaveLength(2)
    expect(await mailsTo(app, newcomer.email)).toHaveLength(1)

    // At once, too, where it was cut off.
    await pool.query('update users set welcomed_at = null, username = null where id = $1', [
      newcomer.id,
    ])
    await pool.query('delete from notifications where user_id = $1', [newcomer.id])
    await Promise.all(Array.from({ length: 3 }, () => welcomeNewcomer(db, newcomer.id)))
    expect(await welcomes(newcomer)).toHaveLength(2)
    expect(await stored()).toMatchObject({ username: before.username })
  })

  test('is this mail, word for word', async () => {
    const newcomer = await app.signUp({ name: 'Nora New' })
    const { text } = await mailTo(app, newcomer.email, /^Welcome to Thunder$/)
    expect(text.trimEnd()).toBe(
      [
        'Welcome, Nora New',
        nothing,
        'Leave a lesson whenever you like. You come back to the second where you stopped, on any device.',
        'Explore courses: http://localhost:3000/explore',
        '-- \nYou get this email because an account was made with this address at http://localhost:3000.',
      ].join('\n\n'),
    )
    const { slug } = await course('Knots', 1)
    const other = await app.signUp()
    const second = await mailTo(app, other.email, /^Welcome to Thunder$/)
    expect(second.text).toContain(
      `Go to your lesson: http://localhost:3000/course/${slug}/continue\n`,
    )
    expect(second.text).toContain('Your account is ready, and “Knots” is waiting')
  })

  test('is about the course that was joined first', async () => {
    const [first, later] = [await course('First', 1), await course('Later', 9)]
    const person = await makePerson(app.services)
    await joinCourse(app.services, person, later, daysAgo(1))
    await joinCourse(app.services, person, first, daysAgo(2))
    await sendWelcomeMail({ userId: person.id }, app.services)
    const { text } = await mailTo(app, person.email, /^Welcome/)
    expect(text).toContain('“First” is waiting')
  })

  test('of an account that is gone is not mailed', async () => {
    const sent = async () => (await app.services.mail.outbox!()).length
    await jobsDone(app)
    const before = await sent()
    await sendWelcomeMail({ userId: randomUUID() }, app.services)
    await welcomeNewcomer(app.services.db, randomUUID())
    expect(await sent()).toBe(before)
  })

  test('brings a username that is an address: never somebody’s id, and not too long for a number', async () => {
    const other = await app.signUp()
    const usernameOf = async (name: string) => {
      const { id, cookie } = await app.signUp({ name })
      const { username } = (await app.request('/rest/v1/me', { cookie })).body
      return username === id ? 'the own id' : username
    }
    expect(await usernameOf(other.id)).toBe('the own id')
    expect(await usernameOf('n'.repeat(80))).toBe('n'.repeat(60))
    expect(await usernameOf('n'.repeat(80))).toBe(`${'n'.repeat(60)}-2`)
    expect(await usernameOf(`${'m'.repeat(59)} m`)).toBe('m'.repeat(59))
  })
})
