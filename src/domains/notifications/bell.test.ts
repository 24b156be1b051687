// What is under the bell, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { bellText } from './bell-queries.ts'
import type { BellNotice } from './bell-schema.ts'
import { notify } from './notify.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { id: person.id, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const tell = (person: Someone, title: string, href?: string) =>
  notify(app.services.db, {
    userId: person.id,
    kind: 'system_announcement',
    title,
    message: 'Have a look',
    href,
  })

async function bellOf({
  cookie,
}: Someone): Promise<{ notifications: BellNotice[]; unread: number }> {
  const { status, body } = await app.request('/rest/v1/notifications', { cookie })
  expect(status).toBe(200)
  return body
}
async function seen(person: Someone) {
  const { notifications, unread } = await bellOf(person)
  return { unread, titles: notifications.map(({ title }) => title) }
}
const idsOf = async (person: Someone) => (await bellOf(person)).notifications.map(({ id }) => id)

const markRead = (person: Someone, ids: string[]) =>
  app.request('/rest/v1/notifications/read', { body: { ids }, cookie: person.cookie })
const readAbout = (person: Someone, about: string) =>
  app.request('/rest/v1/notifications/read', { body: { about }, cookie: person.cookie })
const clear = (person: Someone, ids: string[]) =>
  app.request('/rest/v1/notifications/clear', { body: { ids }, cookie: person.cookie })
const remove = (person: Someone, id: string) =>
  app.request(`/rest/v1/notifications/${id}`, { method: 'DELETE', cookie: person.cookie })

async function timesTabsWereTold(person: Someone): Promise<number> {
  const { rows } = await app.services.pool.query<{ count: number }>(
    `select count(*)::int from live_events
      where topic = $1 and event @> '{"type": "notification"}'`,
    [`person:${person.id}`],
  )
  return rows[0]!.count
}

describe('the bell', () => {
  test('shows what the person was told, newest first, with the way to look at it', async () => {
    const person = await someone()
    expect(await seen(person)).toEqual({ unread: 0, titles: [] })
    await tell(person, 'First')
    await tell(person, 'Second', '/dashboard')
    const { notifications, unread } = await bellOf(person)
    expect(unread).toBe(2)
    expect(notifications).toMatchObject([
      { title: 'Second', message: 'Have a look', type: 'info', href: '/dashboard', read: false },
      { title: 'First', href: null, read: false },
    ])
    const { body } = await app.request('/rest/v1/me', { cookie: person.cookie })
    expect(body.unreadNotifications).toBe(2)
  })

  test('holds the latest 50 of 60, counts to ten, and reads or clears the older ones too', async () => {
    const person = await someone()
    for (let count = 1; count <= 60; count += 1) await tell(person, `Notice ${count}`)
    const { unread, titles } = await seen(person)
    expect([unread, titles.length, titles[0], titles[49]]).toEqual([
      10,
      50,
      'Notice 60',
      'Notice 11',
    ])
    const { body } = await markRead(person, await idsOf(person))
    expect(body).toEqual({ unread: 0 })
    expect((await clear(person, await idsOf(person))).body).toEqual({ unread: 0 })
    expect(await seen(person)).toEqual({ unread: 0, titles: [] })
  })

  test('neither shows, counts nor clears what is only waiting for a mail', async () => {
    const person = await someone()
    const prefer = (inApp: boolean) =>
      app.services.pool.query(
        `insert into notification_preferences (user_id, switch, in_app, email)
         values ($1, 'system_announcements', $2, 'daily')
         on conflict (user_id, switch) do update set in_app = excluded.in_app`,
        [person.id, inApp],
      )
    await prefer(false)
    await tell(person, 'Mailed')
    await prefer(true)
    await tell(person, 'Shown')
    expect(await seen(person)).toEqual({ unread: 1, titles: ['Shown'] })
    await clear(person, await idsOf(person))
    const { rows } = await app.services.pool.query(
      'select title, read from notifications where user_id = $1',
      [person.id],
    )
    expect(rows).toEqual([{ title: 'Mailed', read: false }])
  })

  test('is read from the index in its order, however many a person has', async () => {
    const person = await someone()
    const { pool } = app.services
    await pool.query(
      `insert into notifications (user_id, title, message, type, read, created_at)
       select $1, 'Notice ' || n, 'Many', 'info', true, now() - n * interval '1 minute'
         from generate_series(1, 5000) n`,
      [person.id],
    )
    await pool.query('analyze notifications')
    const { rows } = await pool.query(`explain analyze ${bellText}`, [person.id])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('notifications_user_newest')
    const read = [...plan.matchAll(/rows=(\d+)(?:\.\d+)? loops/g)].map(([, count]) => Number(count))
    expect(Math.max(...read), plan).toBeLessThanOrEqual(51)
    expect((await seen(person)).titles[0]).toBe('Notice 1')
  })
})

describe('reading and clearing', () => {
  test('concern what was shown; what arrived meanwhile stays, also when it was begun earlier', async () => {
    const person = await someone()
    const slow = await app.services.pool.connect()
    await slow.query('begin')
    // Its time is now, but it is there when the transaction ends.
    await slow.query(
      `insert into notifications (user_id, title, message, type)
       values ($1, 'Slow', 'Begun early', 'info')`,
      [person.id],
    )
    await tell(person, 'Newest')
    const ids = await idsOf(person)
    expect(ids.length).toBe(1)
    await slow.query('commit')
    slow.release()
    await tell(person, 'Later')

    expect((await markRead(person, ids)).body).toEqual({ unread: 2 })
    expect((await bellOf(person)).notifications.map(({ title, read }) => [title, read])).toEqual([
      ['Later', false],
      ['Newest', true],
      ['Slow', false],
    ])
    expect((await clear(person, ids)).body).toEqual({ unread: 2 })
    expect((await seen(person)).titles).toEqual(['Later', 'Slow'])
  })

  test('at the same time in several tabs, with arrivals, lose nothing and never wait for each other', async () => {
    const person = await someone()
    for (let count = 1; count <= 20; count += 1) await tell(person, `Before ${count}`)
    const ids = await idsOf(person)
    const calls = ids.flatMap((id, index) => [
      index % 2 ? markRead(person, ids.toReversed()) : clear(person, ids),
      remove(person, id),
    ])
    const arrivals = Array.from({ length: 10 }, (_, index) => tell(person, `During ${index}`))
    const answers = await Promise.all(calls)
    await Promise.all(arrivals)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { unread, titles } = await seen(person)
    expect(unread).toBe(10)
    expect(titles.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `During ${index}`))
  })

  test('change nothing of anybody else’s', async () => {
    const [person, other] = [await someone(), await someone()]
    await tell(person, 'Mine')
    await tell(other, 'Not mine')
    const ids = await idsOf(other)
    for (const send of [markRead, clear]) {
      expect((await send(person, ids)).body).toEqual({ unread: 1 })
    }
    expect((await remove(person, ids[0]!)).body).toEqual({ unread: 1 })
    expect(await seen(person)).toEqual({ unread: 1, titles: ['Mine'] })
    expect(await seen(other)).toEqual({ unread: 1, titles: ['Not mine'] })
  })

  test('of a place concern what leads there and to one thing in it, in every tab; twice is harmless', async () => {
    const [person, other] = [await someone(), await someone()]
    const post = '/course/knots/dashboard?tab=discussion&post=1'
    for (const href of [
      post,
      `${post}&comment=2`,
      `${post}0`,
      '/course/knots/dashboard',
      undefined,
    ]) {
      for (const one of [person, other]) await tell(one, href ?? 'Nowhere', href)
    }
    const told = await timesTabsWereTold(person)
    for (const _twice of [1, 2]) {
      const { status, body } = await readAbout(person, post)
      expect([status, body]).toEqual([200, { unread: 3 }])
    }
    const read = (await bellOf(person)).notifications.filter((notice) => notice.read)
    expect(read.map(({ title }) => title)).toEqual([`${post}&comment=2`, post])
    expect(await timesTabsWereTold(person)).toBe(told + 1)
    expect((await readAbout(person, '/course/knots/dashboard')).body).toEqual({ unread: 2 })
    expect((await bellOf(other)).unread).toBe(5)
  })

  test('of a place of which nothing is new take one look, and begin nothing', async () => {
    const person = await someone()
    await tell(person, 'Elsewhere', '/explore')
    const statements = await watchStatements(app).during(() => readAbout(person, '/dashboard'))
    // And the count that is answered.
    expect(statements.filter((text) => /begin|notifications/.test(text))).toHaveLength(2)
    expect((await bellOf(person)).unread).toBe(1)
  })

  test('name what was shown or a place, not both', async () => {
    const { cookie } = await someone()
    for (const body of [{}, { ids: [crypto.randomUUID()], about: '/explore' }]) {
      const answer = await app.request('/rest/v1/notifications/read', { body, cookie })
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'Please name the notifications that were shown, or the place that they are about.',
      ])
    }
  })

  test('are told to the person’s other tabs, once, and only when something changed', async () => {
    const person = await someone()
    await tell(person, 'First')
    await tell(person, 'Second')
    const ids = await idsOf(person)
    expect(await timesTabsWereTold(person)).toBe(2)
    for (const _twice of [1, 2]) await markRead(person, ids)
    expect(await timesTabsWereTold(person)).toBe(3)
    for (const _twice of [1, 2]) expect((await remove(person, ids[0]!)).status).toBe(200)
    expect(await timesTabsWereTold(person)).toBe(4)
    for (const _twice of [1, 2]) await clear(person, ids)
    expect(await timesTabsWereTold(person)).toBe(5)
    expect((await seen(person)).titles).toEqual([])
  })

  test.each([
    ['nothing', [], 'Please name the notifications that were shown.'],
    ['what is no id', ['first'], 'Notification is not a valid id'],
    [
      'more than a list has',
      Array.from({ length: 51 }, () => crypto.randomUUID()),
      'A list has at most 50 notifications.',
    ],
  ])('refuse %s in a sentence', async (_what, ids, message) => {
    const person = await someone()
    for (const send of [markRead, clear]) {
      const { status, body } = await send(person, ids)
      expect([status, body.message]).toEqual([422, message])
    }
  })
})
