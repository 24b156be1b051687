// An event becomes notices and mails, in the way that each person chose; and how the mails are stopped.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { jobsDone, mailsTo, mailTo, tokenIn } from '../../../test/mailbox.ts'
import { watchStatements } from '../../../test/statements.ts'
import type { Executor } from '../../server/db.ts'
import { GivenUp } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { users } from '../accounts/tables.ts'
import { sendDigest, sendDigests } from './digest.ts'
import { type NoticeKindName, noticeKinds, type Switch, switches } from './kinds.ts'
import { sendNoticeMail } from './mail-notice.ts'
import { notify } from './notify.ts'
import { notifyMembers } from './notify-members.ts'
import { savePreferences } from './preferences.ts'
import { defaultPreferences, paces, type Preference, switchOf } from './rules.ts'
import { notifications } from './tables.ts'
import { trimNotices } from './trim-notices.ts'
import { unsubscribeToken } from './unsubscribe-token.ts'

let app: TestApp
let services: Services
beforeAll(async () => {
  app = await startTestApp()
  services = app.services
})
afterAll(() => app?.stop())

const query = async (text: string, ...values: unknown[]) =>
  (await services.pool.query(text, values)).rows

const announcement = {
  kind: 'system_announcement',
  title: 'New colours',
  message: 'Look.',
} as const
const kinds = Object.keys(noticeKinds) as NoticeKindName[]

interface Case extends Preference {
  kind: NoticeKindName
  name: Switch | null
}

/** A person without a password: many of them are made in no time. */
async function reader(): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@example.com`
  const [row] = await services.db
    .insert(users)
    .values({ name: 'Rita Reader', email, welcomedAt: new Date() })
    .returning({ id: users.id })
  return { id: row!.id, email }
}

const choose = (id: string, name: Switch, inApp: boolean, email: (typeof paces)[number]) =>
  services.db.transaction((transaction) =>
    savePreferences(transaction, id, { [name]: { inApp, email } }),
  )

const noticesOf = (id: string) =>
  query(
    `select kind, in_app as "inApp", digest_due as "digestDue" from notifications
      where user_id = $1 order by created_at, id`,
    id,
  )

/** How often the open pages of this person were told that there is something under the bell. */
const bellsRung = async (id: string) =>
  (
    await query(
      `select 1 from live_events where topic = $1 and event = '{"type": "notification"}'`,
      `person:${id}`,
    )
  ).length

async function signedIn() {
  const person = await makePerson(services)
  return { ...person, cookie: await sessionCookieOf(services, person.id) }
}

describe('what a person is told', () => {
  test('follows the switch of each kind, under the bell and by mail', async () => {
    const cases = kinds.flatMap((kind): Case[] => {
      const { switch: name } = noticeKinds[kind]
      if (!name) return [{ kind, name, inApp: true, email: 'at_once' }]
      const choices = [true, false].flatMap((inApp) => paces.map((email) => ({ inApp, email })))
      return choices.map((choice) => ({ kind, name, ...choice }))
    })
    const people = await Promise.all(cases.map(async (one) => ({ ...one, person: await reader() })))
    for (const { kind, name, inApp, email, person } of people) {
      if (name) await choose(person.id, name, inApp, email)
      await notify(services.db, { userId: person.id, kind, title: `About ${kind}`, message: 'So.' })
    }
    await jobsDone(app)
    for (const { kind, inApp, email, person } of people) {
      const what = `${kind}, in-app ${inApp}, email ${email}`
      const mailed = noticeKinds[kind].mail && email === 'at_once'
      const waits = noticeKinds[kind].mail && email === 'daily'
      const kept = inApp || waits ? [{ kind, inApp, digestDue: waits }] : []
      expect(await noticesOf(person.id), what).toEqual(kept)
      expect(await bellsRung(person.id), what).toBe(inApp ? 1 : 0)
      expect(
        (await mailsTo(app, person.email)).map(({ subject }) => subject),
        what,
      ).toEqual(mailed ? [`About ${kind}`] : [])
    }
  })

  test('is everything, until the person says otherwise; new members once a day', async () => {
    const person = await reader()
    for (const kind of ['new_member', 'review_written', 'system_announcement'] as const) {
      await notify(services.db, { userId: person.id, kind, title: kind, message: 'So.' })
    }
    await jobsDone(app)
    expect(await noticesOf(person.id)).toEqual([
      { kind: 'new_member', inApp: true, digestDue: true },
      { kind: 'review_written', inApp: true, digestDue: false },
      { kind: 'system_announcement', inApp: true, digestDue: false },
    ])
    const subjects = (await mailsTo(app, person.email)).map(({ subject }) => subject)
    expect(subjects.toSorted()).toEqual(['review_written', 'system_announcement'])
  })

  test('never comes from what is rolled back', async () => {
    const person = await reader()
    const failing = services.db.transaction(async (transaction) => {
      await notify(transaction, { userId: person.id, ...announcement })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await jobsDone(app)
    expect(await noticesOf(person.id)).toEqual([])
    expect(await bellsRung(person.id)).toBe(0)
    expect(await mailsTo(app, person.email)).toEqual([])
  })

  test('is told to a thousand members by one statement', async () => {
    const creator = await makePerson(services)
    const course = await makeCourse(services, creator)
    await query(
      `with people as (
         insert into users (name, email, welcomed_at)
         select 'Member', gen_random_uuid() || '@example.com', now() from generate_series(1, 1000)
         returning id),
       wishes as (
         insert into notification_preferences (user_id, switch, in_app, email)
         select id, 'system_announcements', row_number() over () % 2 = 0,
                case when row_number() over () <= 3 then 'at_once' else 'daily' end from people)
       insert into enrollments (user_id, course_id) select id, $1 from people`,
      course.id,
    )
    const statements = await watchStatements(app).during(() =>
      notifyMembers(services.db, {
        courseId: course.id,
        instructorId: creator.id,
        ...announcement,
        title: 'To a thousand',
      }),
    )
    expect(statements.filter((text) => text.includes('notifications'))).toHaveLength(1)
    expect(statements.length).toBeLessThan(5)
    await jobsDone(app)
    const told = `from notifications n where title = 'To a thousand'`
    expect(
      await query(
        `select count(*)::int as rows, count(*) filter (where in_app)::int as shown,
                count(*) filter (where digest_due)::int as due,
                (select count(*)::int from live_events l where l.topic in
                  (select 'person:' || n.user_id ${told})) as rung ${told}`,
      ),
      // Two of the three at once are not shown, and go when they are mailed.
    ).toEqual([{ rows: 998, shown: 500, due: 997, rung: 500 }])
    const mails = (await services.mail.outbox!()).filter(
      ({ subject }) => subject === 'To a thousand',
    )
    expect(mails).toHaveLength(3)
    // Nobody waits for a thousand daily mails below.
    await query(`delete from notifications where title = 'To a thousand'`)
    expect(await noticesOf(creator.id)).toEqual([])
  })
})

describe('a mail', () => {
  test('says why it came, leads to the site, and can be stopped by one press', async () => {
    const person = await reader()
    await notify(services.db, {
      userId: person.id,
      kind: 'review_written',
      title: 'New Review <b>',
      message: 'Your course “Knots” has a new review.',
      href: '/course/knots/reviews#review-1',
    })
    const mail = await mailTo(app, person.email, /^New Review <b>$/)
    expect(mail.text).toContain('http://localhost:3000/course/knots/reviews#review-1')
    expect(mail.text).toContain('“Comments and reviews”')
    expect(mail.text).toContain('http://localhost:3000/settings#notifications')
    expect(mail.html).not.toContain('<b>')
    const stop = mail.headers['list-unsubscribe']!
    expect(stop).toMatch(/^<http:\/\/localhost:3000\/unsubscribe\?token=[\w.-]+>$/)
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(stop).toContain(tokenIn(mail))
    expect(mail.headers['message-id']).toMatch(/^<notice-[\w-]+@localhost>$/)
  })

  test('about access says that it always comes, and cannot be stopped', async () => {
    const person = await reader()
    await notify(services.db, {
      userId: person.id,
      kind: 'member_removed',
      title: 'Removed from Course',
      message: 'You were removed.',
      href: '//evil.example/',
    })
    const mail = await mailTo(app, person.email, /^Removed from Course$/)
    expect(mail.headers).not.toHaveProperty('list-unsubscribe')
    expect(mail.text).not.toMatch(/unsubscribe|evil/)
    expect(mail.text).toContain('Emails of this kind are always sent.')
  })

  test('is not sent when the notice was deleted, its reader has left or does not want it any more', async () => {
    const [deleting, leaving, stopping] = [await reader(), await reader(), await reader()]
    const undone = (userId: string, undo: (transaction: Executor) => Promise<unknown>) =>
      services.db.transaction(async (transaction) => {
        await notify(transaction, { userId, ...announcement })
        await undo(transaction)
      })
    await undone(deleting.id, (transaction) =>
      transaction.delete(notifications).where(eq(notifications.userId, deleting.id)),
    )
    await undone(leaving.id, (transaction) =>
      transaction.delete(users).where(eq(users.id, leaving.id)),
    )
    await services.db.transaction(async (transaction) => {
      await notify(transaction, { userId: stopping.id, ...announcement })
      await savePreferences(transaction, stopping.id, {
        system_announcements: { inApp: true, email: 'off' },
      })
    })
    await notify(services.db, { userId: leaving.id, ...announcement })
    await jobsDone(app)
    for (const { email } of [deleting, leaving, stopping])
      expect(await mailsTo(app, email)).toEqual([])
    expect(await query('select 1 from graphile_worker.jobs where last_error is not null')).toEqual(
      [],
    )
  })

  test('is not sent to an address that was never confirmed, where that is asked for', async () => {
    const person = await reader()
    await choose(person.id, 'system_announcements', true, 'daily')
    await notify(services.db, { userId: person.id, ...announcement })
    const [row] = await query('select id from notifications where user_id = $1', person.id)
    const strict = { ...services, config: { ...services.config, confirmsEmail: true } }
    await sendNoticeMail({ notificationId: row.id }, strict)
    await sendDigest({ userId: person.id }, strict)
    expect(await mailsTo(app, person.email)).toEqual([])
    await sendNoticeMail({ notificationId: row.id }, services)
    expect(await mailsTo(app, person.email)).toHaveLength(1)
  })
})

describe('the daily mail', () => {
  const due = async (id: string) =>
    (await query('select 1 from notifications where user_id = $1 and digest_due', id)).length

  /** Notices of two switches, ten of which are not shown under the bell. */
  async function readerOf(total: number) {
    const person = await reader()
    await choose(person.id, 'comment_alert', false, 'daily')
    for (let count = 1; count <= total; count += 1) {
      await notify(services.db, {
        userId: person.id,
        kind: count <= 10 ? 'review_answered' : 'new_member',
        title: `Notice ${count}.`,
        message: 'So.',
        href: '/dashboard',
      })
    }
    return person
  }

  test('lists what waits by switch, the newest 50, and comes once', async () => {
    const person = await readerOf(60)
    const other = await reader()
    await notify(services.db, { userId: other.id, kind: 'new_member', title: 'A', message: 'So.' })
    await notify(services.db, {
      userId: other.id,
      kind: 'application_received',
      title: 'B',
      message: 'So.',
    })
    for (let morning = 1; morning <= 2; morning += 1) {
      await sendDigests({}, services)
      await jobsDone(app)
    }
    const [mail, ...more] = await mailsTo(app, person.email)
    expect(more).toEqual([])
    expect(mail!.subject).toBe('60 notifications for you on Thunder')
    expect(mail!.text).toContain('60 notifications: the newest 50, and 10 more.')
    expect(mail!.text).toContain('NEW MEMBERS AND APPLICATIONS')
    expect(mail!.text).toContain('Notice 60.')
    expect(mail!.text).not.toContain('Notice 10.')
    expect(mail!.headers['list-unsubscribe']).toContain(`${person.id}.daily.`)
    expect(await due(person.id)).toBe(0)
    // Those that only waited for the mail are gone.
    expect(await noticesOf(person.id)).toHaveLength(50)
    expect((await mailsTo(app, other.email)).map(({ subject }) => subject)).toEqual([
      '2 notifications for you on Thunder',
    ])
  })

  test('comes once when two send it at the same moment', async () => {
    const person = await readerOf(12)
    await Promise.all([1, 2, 3].map(() => sendDigest({ userId: person.id }, services)))
    expect(await mailsTo(app, person.email)).toHaveLength(1)
  })

  test('is tried again after a failure, and given up when it is refused for good', async () => {
    const person = await readerOf(12)
    const failing = (error: Error) => ({
      ...services,
      mail: { ...services.mail, send: () => Promise.reject(error) },
    })
    const id = { userId: person.id }
    await expect(sendDigest(id, failing(new Error('no server')))).rejects.toThrow('no server')
    expect(await due(person.id)).toBe(12)
    await expect(sendDigest(id, failing(new GivenUp('no such mailbox')))).rejects.toThrow(GivenUp)
    expect(await due(person.id)).toBe(0)
  })

  test('is nobody’s who has left', async () => {
    const person = await readerOf(12)
    await services.db.delete(users).where(eq(users.id, person.id))
    await sendDigest({ userId: person.id }, services)
    expect(await mailsTo(app, person.email)).toEqual([])
  })
})

describe('preferences', () => {
  const path = '/rest/v1/me/notification-preferences'
  const save = (body: unknown, cookie?: string) =>
    app.request(path, { method: 'PUT', body, cookie })

  test('are all on at first, and one’s own', async () => {
    const [person, other] = [await signedIn(), await signedIn()]
    expect((await app.request(path, { cookie: person.cookie })).body).toEqual(defaultPreferences)
    const changed = { sales_alert: { inApp: false, email: 'off' } }
    const saved = await save(changed, person.cookie)
    expect([saved.status, saved.body]).toEqual([200, { ...defaultPreferences, ...changed }])
    expect((await app.request(path, { cookie: person.cookie })).body).toEqual(saved.body)
    expect((await app.request(path, { cookie: other.cookie })).body).toEqual(defaultPreferences)
    expect((await save({}, person.cookie)).body).toEqual(saved.body)
    expect((await app.request(path)).status).toBe(401)
    expect((await save(changed)).status).toBe(401)
  })

  test('are refused in words when they make no sense', async () => {
    const { cookie } = await signedIn()
    const { status, body } = await save({ new_signup: { inApp: true, email: 'hourly' } }, cookie)
    expect([status, body.message]).toEqual([
      422,
      'New members and applications: email is one of at_once, daily, off.',
    ])
    expect((await save({ new_signup: null }, cookie)).status).toBe(422)
    expect((await app.request(path, { cookie })).body).toEqual(defaultPreferences)
  })

  test('every kind belongs to one switch or always goes', () => {
    for (const kind of kinds) expect(switchOf(kind)).toBe(noticeKinds[kind].switch)
    expect(switchOf('of-another-time')).toBeNull()
    expect(Object.keys(defaultPreferences).toSorted()).toEqual([...switches].toSorted())
  })
})

describe('unsubscribing', () => {
  const look = (token: string) =>
    app.request(`/rest/v1/unsubscribe?${new URLSearchParams({ token })}`)
  const stop = (token: string) => app.request('/rest/v1/unsubscribe', { body: { token } })
  const emailOf = async (person: { cookie: string }) => {
    const { body } = await app.request('/rest/v1/me/notification-preferences', person)
    return Object.fromEntries(switches.map((name) => [name, body[name].email]))
  }

  test('stops the mails of one switch, and what waits for one; the bell goes on', async () => {
    const person = await signedIn()
    await notify(services.db, {
      userId: person.id,
      kind: 'new_member',
      title: 'New Member',
      message: 'So.',
    })
    const token = unsubscribeToken(services.secret, { userId: person.id, scope: 'new_signup' })
    expect((await look(token)).body).toEqual({ stops: ['New members and applications'] })
    expect(await noticesOf(person.id)).toMatchObject([{ digestDue: true }])
    for (let times = 1; times <= 2; times += 1) {
      const { status, body } = await stop(token)
      expect([status, body]).toEqual([200, { stops: [] }])
    }
    expect((await look(token)).body).toEqual({ stops: [] })
    expect(await noticesOf(person.id)).toMatchObject([{ inApp: true, digestDue: false }])
    const usual = {
      system_announcements: 'at_once',
      comment_alert: 'at_once',
      sales_alert: 'at_once',
    }
    expect(await emailOf(person)).toEqual({ ...usual, new_signup: 'off' })
  })

  test('from the daily mail stops all that is in it, and nothing else', async () => {
    const person = await signedIn()
    await choose(person.id, 'comment_alert', true, 'daily')
    const token = unsubscribeToken(services.secret, { userId: person.id, scope: 'daily' })
    const { stops } = (await look(token)).body
    expect(stops).toEqual(['New members and applications', 'Comments and reviews'])
    expect((await stop(token)).status).toBe(200)
    expect(await emailOf(person)).toEqual({
      new_signup: 'off',
      comment_alert: 'off',
      system_announcements: 'at_once',
      sales_alert: 'at_once',
    })
  })

  test('takes no token that this site did not make', async () => {
    const [person, other] = [await signedIn(), await signedIn()]
    const ours = { userId: person.id, scope: 'new_signup' as const }
    const token = unsubscribeToken(services.secret, ours)
    const [id, scope, signature] = token.split('.') as [string, string, string]
    const forged = [
      '',
      'x'.repeat(200),
      `${id}.${scope}`,
      `${id}.${scope}.`,
      `${other.id}.${scope}.${signature}`,
      `${id}.sales_alert.${signature}`,
      `${token}.more`,
      unsubscribeToken('another secret that is long enough', ours),
      unsubscribeToken(services.secret, { userId: randomUUID(), scope: 'new_signup' }),
    ]
    for (const one of forged) {
      for (const answer of [await look(one), await stop(one)]) {
        expect([one, answer.status]).toEqual([one, 404])
        expect(answer.body.message).toMatch(/This link does not work/)
      }
    }
    expect(await emailOf(person)).toMatchObject({ new_signup: 'daily', sales_alert: 'at_once' })
    expect(await emailOf(other)).toMatchObject({ new_signup: 'daily' })
  })
})

test('the latest 200 notices of a year are kept, all of the last two days, and what waits for the daily mail', async () => {
  const [many, old, busy] = [await reader(), await reader(), await reader()]
  const insert = (id: string, count: number, extra: string) =>
    query(
      `insert into notifications (user_id, title, message, type, created_at, in_app, digest_due)
       select $1, 'Notice ' || n, '', 'info', ${extra} from generate_series(1, ${count}) n`,
      id,
    )
  await insert(many.id, 250, `now() - interval '2 days' - n * interval '1 minute', true, n = 249`)
  await insert(old.id, 3, `now() - n * interval '200 days', true, false`)
  await insert(old.id, 2, `now() - n * interval '20 days', false, false`)
  // Their mails are on their way, for as long as their server wants them later.
  await insert(busy.id, 250, `now() - n * interval '10 minutes', n % 2 = 0, false`)
  await trimNotices({}, services)
  expect(await noticesOf(busy.id)).toHaveLength(250)
  const titles = (await query('select title from notifications where user_id = $1', many.id)).map(
    ({ title }) => title,
  )
  expect(titles).toHaveLength(201)
  expect(titles).toEqual(expect.arrayContaining(['Notice 1', 'Notice 200', 'Notice 249']))
  expect(await noticesOf(old.id)).toMatchObject([{ inApp: true }, { inApp: false }])
})
