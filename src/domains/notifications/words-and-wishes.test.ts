// What people read in the mails, who is told again, and what a change of mind does to what already waits.
import { sql } from 'drizzle-orm'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { piecesOf } from '../../../test/events-of.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { mailsTo, tokenIn } from '../../../test/mailbox.ts'
import { watchStatements } from '../../../test/statements.ts'
import { publishToPerson } from '../../server/publish.ts'
import { addDepartedUser, departedUserId } from '../accounts/departed-user.ts'
import { bellOf, unreadNotifications } from './bell-queries.ts'
import { sendDigest, sendDigests } from './digest.ts'
import { type NoticeKindName, switches } from './kinds.ts'
import { sendNoticeMail } from './mail-notice.ts'
import { notify } from './notify.ts'
import { savePreferences } from './preferences.ts'
import { defaultPreferences, paceWords, type Preferences } from './rules.ts'
import { countWhoWouldBeTold, type Notice, tellPeople } from './tell-people.ts'
import { unsubscribeToken } from './unsubscribe-token.ts'

let app: TestApp
beforeAll(async () => {
  // Mails wait until a test sends them.
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const tell = ({ id }: { id: string }, kind: NoticeKindName, more: Partial<Notice> = {}) =>
  notify(app.services.db, { userId: id, kind, title: `About ${kind}`, message: 'So.', ...more })

const choose = ({ id }: { id: string }, changes: Partial<Preferences>) =>
  app.services.db.transaction((transaction) => savePreferences(transaction, id, changes))

const noticesOf = ({ id }: { id: string }) =>
  query(
    `select kind, in_app as shown, digest_due as due from notifications where user_id = $1 order by id`,
    id,
  )

/** The one mail that this person got, once the newest notice of them was mailed. */
async function mailed(person: Someone) {
  const [{ id }] = await query(
    'select id from notifications where user_id = $1 order by id desc limit 1',
    person.id,
  )
  await sendNoticeMail({ notificationId: id }, app.services)
  const mails = await mailsTo(app, person.email)
  expect(mails).toHaveLength(1)
  return mails[0]!
}

const stopAt = (token: string) => `http://localhost:3000/unsubscribe?token=${token}`

describe('the words of a mail', () => {
  test('about what can be stopped say why it came, and how it is stopped', async () => {
    const person = await someone()
    await tell(person, 'review_written', { href: '/course/knots/reviews' })
    const mail = await mailed(person)
    expect(mail.text.trim().split('\n')).toEqual([
      'About review_written',
      '',
      'So.',
      '',
      'Open it on Thunder: http://localhost:3000/course/knots/reviews',
      '',
      '-- ',
      'You get this email because email is on for “Comments and reviews” in your notification settings at http://localhost:3000.',
      `Stop these emails: ${stopAt(tokenIn(mail))}`,
      'All notification settings: http://localhost:3000/settings#notifications',
    ])
    expect(tokenIn(mail)).toMatch(new RegExp(`^${person.id}\\.comment_alert\\.`))
  })

  test.each([undefined, 'http://[', '//evil.example/', 'https://evil.example/about'])(
    'about what always comes say so, and lead nowhere when the way is %s',
    async (href) => {
      const person = await someone()
      await tell(person, 'member_removed', { href })
      const { text } = await mailed(person)
      expect(text.trim().split('\n')).toEqual([
        'About member_removed',
        '',
        'So.',
        '',
        '-- ',
        'You get this email because it is about something that you take part in at http://localhost:3000. Emails of this kind are always sent.',
      ])
    },
  )

  test('of each day list what happened by switch, in the order of the settings', async () => {
    const person = await someone()
    const daily = { inApp: true, email: 'daily' } as const
    await choose(person, { system_announcements: daily, comment_alert: daily })
    await tell(person, 'system_announcement', { title: 'News' })
    await tell(person, 'review_written', { title: 'First review', href: '/course/knots/reviews' })
    await tell(person, 'mentioned', { title: 'You', href: '//evil.example/' })
    const [newest] = await query(
      'select id from notifications where user_id = $1 order by id desc limit 1',
      person.id,
    )
    await sendDigest({ userId: person.id }, app.services)
    const [mail] = await mailsTo(app, person.email)
    expect(mail!.subject).toBe('3 notifications for you on Thunder')
    expect(mail!.headers['message-id']).toBe(`<digest-${newest.id}@localhost>`)
    expect(mail!.text.trim().split('\n')).toEqual([
      'What happened since yesterday',
      '',
      '3 notifications.',
      '',
      'COMMENTS AND REVIEWS',
      '',
      'You',
      'So.',
      '',
      'First review',
      'So.',
      'http://localhost:3000/course/knots/reviews',
      '',
      'NEWS AND ANNOUNCEMENTS',
      '',
      'News',
      'So.',
      '',
      'Open your dashboard: http://localhost:3000/dashboard',
      '',
      '-- ',
      'You get this email because parts of your notification settings at http://localhost:3000 say “Daily digest”.',
      `Stop the daily email: ${stopAt(tokenIn(mail!))}`,
      'All notification settings: http://localhost:3000/settings#notifications',
    ])
  })

  test('say why they come, and offer no way to stop what is off, after another pace was chosen', async () => {
    const person = await someone()
    await tell(person, 'new_member')
    const atOnce = switches.map((name) => [name, { inApp: true, email: 'at_once' }])
    await choose(person, Object.fromEntries(atOnce))
    await sendDigest({ userId: person.id }, app.services)
    const [mail] = await mailsTo(app, person.email)
    expect(mail!.text.trim().split('\n').slice(-3)).toEqual([
      '-- ',
      'You get this email because this happened before you changed your notification settings at http://localhost:3000.',
      'All notification settings: http://localhost:3000/settings#notifications',
    ])
    expect(mail!.headers).not.toHaveProperty('list-unsubscribe')
  })

  test('count one as one', async () => {
    const person = await someone()
    await tell(person, 'new_member')
    await sendDigest({ userId: person.id }, app.services)
    const [mail] = await mailsTo(app, person.email)
    expect(mail!.subject).toBe('1 notification for you on Thunder')
    expect(mail!.text).toContain('\n1 notification.\n')
  })

  test('name the paces as the settings do', () => {
    expect(paceWords).toEqual({ at_once: 'At once', daily: 'Daily digest', off: 'Off' })
  })
})

describe('the mails of a morning', () => {
  test('are queued once for each who has something waiting, behind what people wait for', async () => {
    await query('delete from graphile_worker._private_jobs')
    await query('update notifications set digest_due = false')
    const [one, two, none] = [await someone(), await someone(), await someone()]
    for (const person of [one, two, two]) await tell(person, 'new_member')
    await tell(none, 'member_removed')
    await query('delete from graphile_worker._private_jobs')
    for (const _twice of [1, 2]) await sendDigests({}, app.services)
    expect(
      await query(
        `select t.identifier as name, j.payload, j.key, j.priority, j.max_attempts as tries
           from graphile_worker._private_jobs j
           join graphile_worker._private_tasks t on t.id = j.task_id order by j.key`,
      ),
    ).toEqual(
      [one, two].map(({ id }) => ({
        name: 'sendDigest',
        payload: { userId: id },
        key: `digest ${id}`,
        priority: 10,
        tries: 12,
      })),
    )
  })

  test('are nobody’s whose address is unconfirmed; what waited waits no longer', async () => {
    const person = await someone()
    await query('update users set email_verified = false where id = $1', person.id)
    await tell(person, 'new_member')
    const config = { ...app.services.config, confirmsEmail: true }
    await sendDigest({ userId: person.id }, { ...app.services, config })
    expect(await mailsTo(app, person.email)).toEqual([])
    expect(await noticesOf(person)).toEqual([{ kind: 'new_member', shown: true, due: false }])
  })

  test('leave what arrived while they were sent for the next one', async () => {
    const [person, other] = [await someone(), await someone()]
    for (const one of [person, other]) await tell(one, 'new_member')
    const { mail } = app.services
    const send: typeof mail.send = async (message) => {
      await tell(person, 'application_received')
      await mail.send(message)
    }
    await sendDigest({ userId: person.id }, { ...app.services, mail: { ...mail, send } })
    expect(await noticesOf(person)).toEqual([
      { kind: 'new_member', shown: true, due: false },
      { kind: 'application_received', shown: true, due: true },
    ])
    expect(await noticesOf(other)).toMatchObject([{ due: true }])
  })
})

describe('who has not read what was said of the same thing', () => {
  const about = (person: Someone, kind: NoticeKindName, href: string) =>
    tell(person, kind, { href, sameAs: '/course/knots/' })

  test('is not told again, until it is read', async () => {
    const [person, other] = [await someone(), await someone()]
    const kind = 'appeal_received'
    await about(person, kind, '/course/knots/1')
    await about(person, kind, '/course/knots/2')
    await about(other, kind, '/course/knots/2')
    expect(await noticesOf(person)).toHaveLength(1)
    expect(await noticesOf(other)).toHaveLength(1)
    await about(person, 'support_received', '/course/knots/3')
    expect(await noticesOf(person)).toHaveLength(2)
    await query('update notifications set read = true where user_id = $1', person.id)
    await about(person, kind, '/course/knots/4')
    expect(await noticesOf(person)).toHaveLength(3)
  })

  test('is told of another thing', async () => {
    const person = await someone()
    await tell(person, 'appeal_received', { href: '/course/splices/1' })
    await about(person, 'appeal_received', '/course/knots/1')
    expect(await noticesOf(person)).toHaveLength(2)
  })

  test('is not told again either of what waits for the daily mail', async () => {
    const person = await someone()
    await choose(person, { new_signup: { inApp: false, email: 'daily' } })
    for (const number of [1, 2]) await about(person, 'new_member', `/course/knots/${number}`)
    expect(await noticesOf(person)).toEqual([{ kind: 'new_member', shown: false, due: true }])
    await query('update notifications set digest_due = false where user_id = $1', person.id)
    await about(person, 'new_member', '/course/knots/3')
    expect(await noticesOf(person)).toHaveLength(2)
  })

  test('is told again of what was read under the bell, though the daily mail is still to come', async () => {
    const person = await someone()
    await choose(person, { comment_alert: { inApp: true, email: 'daily' } })
    for (const number of [1, 2]) await about(person, 'comment_written', `/course/knots/${number}`)
    expect(await noticesOf(person)).toHaveLength(1)
    await query('update notifications set read = true where user_id = $1', person.id)
    for (const number of [3, 4]) await about(person, 'comment_written', `/course/knots/${number}`)
    expect(await noticesOf(person)).toHaveLength(2)
    expect(await unreadNotifications(app.services.pool, person.id)).toBe(1)
  })
})

test('how many would be told is how many are: those who want to know in some way', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => someone()))
  const [silent, mail, bell] = people as [Someone, Someone, Someone, Someone]
  await choose(silent, { system_announcements: { inApp: false, email: 'off' } })
  await choose(mail, { system_announcements: { inApp: false, email: 'daily' } })
  await choose(bell, { system_announcements: { inApp: true, email: 'off' } })
  const ids = sql.param(people.map(({ id }) => id))
  const all = sql`select id as user_id from users where id = any(${ids}::uuid[])`
  const { db } = app.services
  const words = { title: 'A', message: 'B' }
  expect(await countWhoWouldBeTold(db, all, 'system_announcement')).toBe(3)
  expect(await tellPeople(db, all, { kind: 'system_announcement', ...words })).toBe(3)
  // Not mailed at all: only who wants it under the bell.
  expect(await countWhoWouldBeTold(db, all, 'joined')).toBe(4)
  expect(await tellPeople(db, all, { kind: 'joined', ...words })).toBe(4)
})

test('the account of those who left something is told nothing', async () => {
  await app.services.db.transaction(addDepartedUser)
  await tell({ id: departedUserId }, 'member_removed')
  expect(await noticesOf({ id: departedUserId })).toEqual([])
})

describe('a change of mind', () => {
  const path = '/rest/v1/me/notification-preferences'
  const save = ({ cookie }: Someone, body: unknown) =>
    app.request(path, { method: 'PUT', body, cookie })

  test('holds from then on, in place of what was chosen before', async () => {
    const [person, other] = [await someone(), await someone()]
    const first = { comment_alert: { inApp: false, email: 'daily' } }
    const second = { comment_alert: { inApp: true, email: 'off' } }
    expect((await save(person, first)).body).toEqual({ ...defaultPreferences, ...first })
    expect((await save(other, first)).status).toBe(200)
    expect((await save(person, second)).body).toEqual({ ...defaultPreferences, ...second })
    expect((await app.request(path, other)).body).toEqual({ ...defaultPreferences, ...first })
  })

  test('of one thing leaves the other as it is by now', async () => {
    const person = await someone()
    const off = { comment_alert: { email: 'off' } }
    expect((await save(person, off)).body.comment_alert).toEqual({ inApp: true, email: 'off' })
    // Two switches at once, each by another half.
    const halves = { comment_alert: { inApp: false }, new_signup: { email: 'at_once' } }
    const changed = {
      comment_alert: { inApp: false, email: 'off' },
      new_signup: { inApp: true, email: 'at_once' },
    }
    expect((await save(person, halves)).body).toEqual({ ...defaultPreferences, ...changed })
    const { status, body } = await save(person, { comment_alert: {}, sales_alert: {} })
    expect([status, body]).toEqual([200, { ...defaultPreferences, ...changed }])
  })

  test('takes away what only waited for a mail of that switch, and nothing else of anybody', async () => {
    const [person, other] = [await someone(), await someone()]
    const waits = { inApp: false, email: 'daily' } as const
    for (const one of [person, other]) {
      await choose(one, { new_signup: waits, comment_alert: waits })
      await tell(one, 'new_member')
      await tell(one, 'review_written')
      await choose(one, { new_signup: { inApp: true, email: 'daily' } })
      await tell(one, 'application_received')
    }
    const before = await noticesOf(other)
    expect(before).toHaveLength(3)
    expect((await save(person, { new_signup: { inApp: true, email: 'off' } })).status).toBe(200)
    expect(await noticesOf(person)).toEqual([
      { kind: 'review_written', shown: false, due: true },
      { kind: 'application_received', shown: true, due: false },
    ])
    expect(await noticesOf(other)).toEqual(before)
  })

  test('that stops no mail looks at nothing that waits', async () => {
    const person = await someone()
    const asked = await watchStatements(app).during(() =>
      save(person, { new_signup: { inApp: false, email: 'daily' } }),
    )
    expect(asked.filter((text) => text.includes('"notifications"'))).toEqual([])
  })

  test.each([
    [{ new_signup: null }, 'New members and applications: say inApp, email or both.'],
    [
      { comment_alert: { inApp: 'yes', email: 'off' } },
      'Comments and reviews: in-app is on (true) or off (false).',
    ],
    [
      { sales_alert: { inApp: true, email: 'hourly' } },
      'Sales and refunds: email is one of at_once, daily, off.',
    ],
  ])('%o is refused in words', async (body, message) => {
    const { status, body: said } = await save(await someone(), body)
    expect([status, said.message]).toEqual([422, message])
  })
})

describe('a link that stops mails', () => {
  const look = (token: string) =>
    app.request(`/rest/v1/unsubscribe?${new URLSearchParams({ token })}`)

  test('of a switch that there is no more stops nothing', async () => {
    const { id } = await someone()
    const scope = 'of_another_time' as never
    const token = unsubscribeToken(app.services.secret, { userId: id, scope })
    for (const answer of [
      await look(token),
      await app.request('/rest/v1/unsubscribe', { body: { token } }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'UNKNOWN_LINK'])
    }
  })

  test('is not looked at when it is longer than any', async () => {
    expect((await look('x'.repeat(201))).status).toBe(422)
    const without = await app.request('/rest/v1/unsubscribe')
    expect([without.status, without.body.message]).toEqual([
      422,
      'The address is incomplete: its token is missing.',
    ])
  })
})

test('which notices were shown has to be a list', async () => {
  const { cookie } = await someone()
  for (const path of ['read', 'clear']) {
    const { status, body } = await app.request(`/rest/v1/notifications/${path}`, {
      body: { ids: 'all' },
      cookie,
    })
    expect([status, body.message]).toEqual([422, 'Please name the notifications that were shown.'])
  }
})

test('a page that is some seconds old is told what happened since it was read', async () => {
  const person = await someone()
  const event = { type: 'joined', courseId: crypto.randomUUID() } as const
  const last = { type: 'notification' } as const
  const heard = async (age: string, ...happening: (typeof event)[]) => {
    const abort = new AbortController()
    const { body } = await fetch(`${app.url}/realtime/v1/events${age}`, {
      headers: { cookie: person.cookie },
      signal: abort.signal,
    })
    for (const one of [...happening, last]) {
      await publishToPerson(app.services.db, person.id, one)
    }
    const events = []
    for await (const piece of piecesOf(body!)) {
      const told = (piece as { event?: { type: string } }).event
      if (told) events.push(told)
      if (told?.type === 'notification') break
    }
    abort.abort()
    return events
  }
  // Once it was heard, this node has told it to whoever was there.
  expect(await heard('', event)).toEqual([event, last])
  expect(await heard('')).toEqual([last])
  expect(await heard('?age=60000')).toEqual([event, last])
})

test('what every page asks of the bell, PostgreSQL has prepared', async () => {
  const { id } = await someone()
  const pool = new Pool({ connectionString: app.databaseUrl, max: 1 })
  expect(await bellOf(pool, id)).toEqual({ notifications: [], unread: 0, now: expect.any(Date) })
  expect(await unreadNotifications(pool, id)).toBe(0)
  const { rows } = await pool.query('select name from pg_prepared_statements order by name')
  await pool.end()
  expect(rows).toEqual([{ name: 'bell-of' }, { name: 'unread-notifications' }])
})
