// What administrators announce: to whom, once to each, and who may.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { jobsDone, mailsTo, mailTo } from '../../../test/mailbox.ts'
import { watchStatements } from '../../../test/statements.ts'
import { somebodyWaits } from '../../../test/waiting.ts'
import { enqueue } from '../../server/jobs.ts'
import { addDepartedUser, departedUserId } from '../accounts/departed-user.ts'
import { announce } from './announce.ts'
import type { Audience } from './announcement-rules.ts'
import { perPage } from './rules.ts'
import { tellAnnouncement, tellNextPeople } from './tell-announcement.ts'

const address = '/rest/v1/admin/announcements'

let app: TestApp
let admin: Someone
beforeAll(async () => {
  app = await startTestApp()
  admin = await someone('Ada Admin')
  await query(`update users set role = 'admin' where id = $1`, admin.id)
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

const facts = (over: object = {}) => ({
  announcementId: randomUUID(),
  title: 'New colours',
  message: 'Have a look.',
  href: '/about',
  audience: 'everybody' as Audience,
  ...over,
})

const post = (body: object, cookie = admin.cookie) => app.request(address, { body, cookie })

/** Announces, and waits until everybody was told. */
async function announced(over: object = {}) {
  const body = facts(over)
  expect((await post(body)).status).toBe(200)
  await finished(body.announcementId)
  return body
}

const stored = async (id: string) =>
  (await query('select * from announcements where id = $1', id))[0]

const finished = (id: string) =>
  expect.poll(async () => (await stored(id)).finished_at).toBeInstanceOf(Date)

/** Whom a notice with this title reached, by id. */
const toldOf = async (title: string): Promise<string[]> =>
  (await query('select user_id from notifications where title = $1 order by user_id', title)).map(
    ({ user_id }) => user_id,
  )

/** So many who want no mails, made in one statement. */
async function crowd(size: number): Promise<string[]> {
  const people = await query(
    `with made as (
       insert into users (name, email, username, welcomed_at)
       select 'Crowd', gen_random_uuid() || '@example.com', 'crowd-' || gen_random_uuid(), now()
         from generate_series(1, $1::int) returning id),
     quiet as (
       insert into notification_preferences (user_id, switch, in_app, email)
       select id, 'system_announcements', true, 'off' from made)
     select id from made order by id`,
    size,
  )
  return people.map(({ id }) => id)
}

describe('an announcement', () => {
  test('is told and mailed, is in the list and in the log', async () => {
    const reader = await someone('Rita Reader')
    const title = 'Told and mailed'
    const before = await app.request(`${address}/audience?audience=everybody`, {
      cookie: admin.cookie,
    })
    const { announcementId } = await announced({ title })
    const told = await toldOf(title)
    expect(told).toContain(reader.id)
    expect(before.body).toEqual({ people: told.length })
    const mail = await mailTo(app, reader.email, /^Told and mailed$/)
    expect(mail.text).toContain('http://localhost:3000/about')
    const { body } = await app.request(address, { cookie: admin.cookie })
    expect(body.announcements[0]).toMatchObject({
      id: announcementId,
      title,
      message: 'Have a look.',
      href: '/about',
      audience: 'everybody',
      announcedBy: { id: admin.id, name: 'Ada Admin' },
      toldCount: told.length,
      people: told.length,
      finishedAt: expect.any(String),
    })
    const log = await app.request('/rest/v1/admin/acts?action=announce', { cookie: admin.cookie })
    expect(log.body.acts[0]).toMatchObject({
      actor: { id: admin.id },
      subjectKind: 'announcement',
      subjectId: announcementId,
      subjectName: title,
      reason: 'Have a look.',
    })
    expect(
      await query('select details from administrative_acts where subject_id = $1', announcementId),
    ).toEqual([{ details: { audience: 'everybody', people: told.length } }])
  })

  test('is listed page by page, newest first, without a link where there is none', async () => {
    const made = Array.from({ length: perPage + 1 }, (_, count) => `Page ${count}`)
    for (const title of made) {
      await query(
        `insert into announcements (title, message, audience, created_at, finished_at)
         values ($1, 'Of tomorrow', 'pro', now() + interval '1 day', now())`,
        title,
      )
    }
    const first = await app.request(address, { cookie: admin.cookie })
    const { nextCursor } = first.body
    const second = await app.request(`${address}?cursor=${nextCursor}`, { cookie: admin.cookie })
    const titles = [...first.body.announcements, ...second.body.announcements].map(
      ({ title }: { title: string }) => title,
    )
    expect(first.body.announcements).toHaveLength(perPage)
    expect(first.body.announcements[0]).toMatchObject({ href: null, announcedBy: null, people: 0 })
    expect(new Set(titles.slice(0, perPage + 1))).toEqual(new Set(made))
    expect(new Set(titles).size).toBe(titles.length)
    const wrong = await app.request(`${address}?cursor=nowhere`, { cookie: admin.cookie })
    expect(wrong.status).toBe(400)
    await query(`delete from announcements where message = 'Of tomorrow'`)
  })

  test('sent twice, also at once, is one; what differs is refused', async () => {
    const body = facts({ title: 'Only once', audience: 'creators' })
    const [one, other] = await Promise.all([post(body), post(body)])
    expect([one.status, other.status]).toEqual([200, 200])
    expect(other.body).toEqual(one.body)
    expect((await post(body)).body).toEqual(one.body)
    const another = await post({ ...body, message: 'Something else' })
    expect([another.status, another.body.code]).toEqual([409, 'ANNOUNCED_ALREADY'])
    await finished(body.announcementId)
    const told = await toldOf('Only once')
    expect(new Set(told).size).toBe(told.length)
    const acts = await query(
      `select 1 from administrative_acts where subject_name = 'Only once' and action = 'announce'`,
    )
    expect(acts).toHaveLength(1)
  })

  test('stays when its administrator deletes the account, without the name', async () => {
    const leaver = await someone('Lea Leaver')
    await query(`update users set role = 'admin' where id = $1`, leaver.id)
    const body = facts({ title: 'Farewell', audience: 'pro' })
    expect((await post(body, leaver.cookie)).status).toBe(200)
    await finished(body.announcementId)
    await query('delete from users where id = $1', leaver.id)
    expect(await stored(body.announcementId)).toMatchObject({ announced_by: null })
  })
})

describe('what is announced', () => {
  test.each([
    ['//evil.example', 'href'],
    ['/\\evil.example', 'href'],
    ['/.//evil.example', 'href'],
    ['/a/..//evil.example', 'href'],
    ['https://evil.example', 'href'],
    ['javascript:alert(1)', 'href'],
    ['about', 'href'],
    [`/${'x'.repeat(500)}`, 'href'],
    ['x'.repeat(121), 'title'],
    [' ', 'title'],
    ['x'.repeat(2001), 'message'],
    [' \n ', 'message'],
    ['the moon', 'audience'],
    ['no id', 'announcementId'],
  ])('cannot be “%s” as its %s', async (value, field) => {
    const { status, body } = await post(facts({ [field]: value }))
    expect(status).toBe(422)
    expect(body.data.fields.map(({ path }: { path: string }) => path)).toEqual([field])
  })

  test('can lead to any page of this site, or nowhere', async () => {
    const linked = await announced({ href: ' /help/../pro?from=news#plans ', audience: 'pro' })
    expect(await stored(linked.announcementId)).toMatchObject({ href: '/pro?from=news#plans' })
    const plain = await announced({ href: '', title: 'Nowhere' })
    expect(await stored(plain.announcementId)).toMatchObject({ href: '' })
    expect(await query(`select distinct href from notifications where title = 'Nowhere'`)).toEqual([
      { href: null },
    ])
  })
})

describe('who is told', () => {
  test('everybody but newcomers who were never here, and the account of those who left', async () => {
    await query(`insert into users (name, email) values ('Not Yet', 'not-yet@example.com')`)
    await app.services.db.transaction(addDepartedUser)
    await announced({ title: 'To everybody' })
    const everybody = await query(
      'select id from users where welcomed_at is not null and id <> $1 order by id',
      departedUserId,
    )
    expect(await toldOf('To everybody')).toEqual(everybody.map(({ id }) => id))
  })

  test('creators are who has a course, Pro is who has it now', async () => {
    const [creator, former, pro, past] = [
      await someone(),
      await someone(),
      await someone(),
      await someone(),
    ]
    await makeCourse(app.services, creator, { status: 'draft' })
    const gone = await makeCourse(app.services, former, { title: 'Gone' })
    const deleted = await app.request(`/rest/v1/courses/${gone.id}/deletion`, {
      body: { title: 'Gone' },
      cookie: former.cookie,
    })
    expect(deleted.status).toBe(200)
    await query('insert into plan_grants (user_id) values ($1)', pro.id)
    await query(
      `insert into plan_grants (user_id, until) values ($1, now() - interval '1 day')`,
      past.id,
    )
    await announced({ title: 'To creators', audience: 'creators' })
    const creators = await toldOf('To creators')
    expect(creators).toContain(creator.id)
    for (const { id } of [former, pro, past, admin]) expect(creators).not.toContain(id)
    await announced({ title: 'To Pro', audience: 'pro' })
    expect(await toldOf('To Pro')).toEqual([pro.id])
    const size = await app.request(`${address}/audience?audience=pro`, { cookie: admin.cookie })
    expect(size.body).toEqual({ people: 1 })
  })

  test('is not who signed up later, though the job had not come to them', async () => {
    const early = await someone()
    const body = facts({ title: 'Before you came' })
    await query(
      `insert into announcements (id, title, message, audience) values ($1, $2, 'Old', 'everybody')`,
      body.announcementId,
      body.title,
    )
    const late = await someone()
    await tellAnnouncement(body, app.services)
    await finished(body.announcementId)
    const told = await toldOf(body.title)
    expect(told).toContain(early.id)
    expect(told).not.toContain(late.id)
  })

  test('decides how: under the bell, by mail, or not at all', async () => {
    const [silent, mailed] = [await someone(), await someone()]
    const choose = (id: string, email: string) =>
      query(
        `insert into notification_preferences (user_id, switch, in_app, email)
         values ($1, 'system_announcements', false, $2)`,
        id,
        email,
      )
    await choose(silent.id, 'off')
    await choose(mailed.id, 'at_once')
    const { announcementId } = await announced({ title: 'As you like' })
    await mailTo(app, mailed.email, /^As you like$/)
    await jobsDone(app)
    expect(await mailsTo(app, silent.email)).toEqual([])
    expect(await toldOf('As you like')).not.toContain(silent.id)
    const bell = await app.request('/rest/v1/notifications', { cookie: mailed.cookie })
    expect(bell.body.notifications).toEqual([])
    const { body } = await app.request(address, { cookie: admin.cookie })
    const listed = body.announcements.find(({ id }: { id: string }) => id === announcementId)
    expect(listed.toldCount).toBe(listed.people)
    await query(`delete from notification_preferences where not in_app`)
  })
})

describe('many people', () => {
  /** Stored without its job, so that the test decides what runs when. */
  async function unworked(title: string) {
    const [{ id }] = await query(
      `insert into announcements (title, message, audience) values ($1, 'Old', 'everybody')
       returning id`,
      title,
    )
    return String(id)
  }

  /** Everybody of the crowd once, and nobody else twice. */
  async function expectOnceEach(title: string, people: string[]) {
    const told = await toldOf(title)
    expect(told.length).toBe(new Set(told).size)
    expect(people.filter((id) => !new Set(told).has(id))).toEqual([])
  }

  test('are told once each, when the job runs three times at once', async () => {
    const people = await crowd(2500)
    const title = 'Three at once'
    const id = await unworked(title)
    const run = () => tellAnnouncement({ announcementId: id }, app.services)
    await enqueue(app.services.db, 'tellAnnouncement', { announcementId: id })
    await Promise.all([run(), run(), run()])
    await finished(id)
    await jobsDone(app)
    await expectOnceEach(title, people)
    expect(await stored(id)).toMatchObject({
      told_count: (await toldOf(title)).length,
      told_up_to: null,
    })
    await run()
    await expectOnceEach(title, people)
  })

  test('are told once each, when the process ends between and within batches', async () => {
    const people = await crowd(1200)
    const title = 'Killed'
    const id = await unworked(title)
    const tell = (end?: Error) =>
      app.services.db.transaction(async (transaction) => {
        const hasMore = await tellNextPeople(transaction, id)
        if (end) throw end
        return hasMore
      })
    await expect(tell(new Error('killed'))).rejects.toThrow('killed')
    expect(await toldOf(title)).toEqual([])
    expect(await tell()).toBe(true)
    expect(await stored(id)).toMatchObject({ told_count: 1000, finished_at: null })
    expect((await stored(id)).told_up_to).toBe((await toldOf(title)).at(-1))
    const half = await app.request(address, { cookie: admin.cookie })
    expect(half.body.announcements.find((one: { id: string }) => one.id === id)).toMatchObject({
      toldCount: 1000,
      finishedAt: null,
    })
    await expect(tell(new Error('killed'))).rejects.toThrow('killed')
    // The next process finds the job in the queue.
    await tellAnnouncement({ announcementId: id }, app.services)
    await finished(id)
    await expectOnceEach(title, people)
  })

  test('while one of them deletes the account, and the administrator the own one', async () => {
    const [before] = await query('select id from users order by id desc limit 1')
    const [leaver, stayer] = await crowd(2)
    const boss = await someone()
    await query(`update users set role = 'admin' where id = $1`, boss.id)
    const title = 'While leaving'
    const id = await unworked(title)
    await query(
      'update announcements set announced_by = $2, told_up_to = $3 where id = $1',
      id,
      boss.id,
      before.id,
    )
    const client = await app.services.pool.connect()
    await client.query('begin')
    await client.query('select 1 from users where id = any($1) order by id for update', [
      [leaver, boss.id],
    ])
    const telling = tellAnnouncement({ announcementId: id }, app.services)
    await somebodyWaits(app)
    await client.query('delete from users where id = any($1)', [[leaver, boss.id]])
    await client.query('commit')
    client.release()
    await telling
    expect(await toldOf(title)).toEqual([stayer])
    expect((await stored(id)).announced_by).toBe(null)
  })

  test('cost the same few statements, however many they are', async () => {
    const id = await unworked('What it costs')
    await crowd(1000)
    const watched = watchStatements(app)
    const first = await watched.during(() => tellAnnouncement({ announcementId: id }, app.services))
    // The lock, the announcement, where the batch ends, the telling, the progress, its news, the next job.
    expect(first.filter((text) => !/^(?:begin|commit)/i.test(text))).toHaveLength(7)
    await finished(id)
  })
})

describe('for administrators only', () => {
  test('strangers log in, creators are refused', async () => {
    const creator = await someone()
    await makeCourse(app.services, creator)
    const body = facts({ title: 'Not mine to say' })
    for (const path of [address, `${address}/audience?audience=pro`]) {
      expect((await app.request(path)).status).toBe(401)
      expect((await app.request(path, { cookie: creator.cookie })).status).toBe(403)
    }
    expect((await app.request(address, { body })).status).toBe(401)
    expect((await post(body, creator.cookie)).status).toBe(403)
    expect(await stored(body.announcementId)).toBe(undefined)
  })

  test('also no more for who loses the role while the form is sent', async () => {
    const former = await someone()
    const body = facts({ title: 'Too late' })
    const refused = await app.services.db.transaction((transaction) =>
      announce(transaction, { ...body, actorId: former.id }),
    )
    expect(refused).toBe('not admin')
    expect(await stored(body.announcementId)).toBe(undefined)
  })
})
