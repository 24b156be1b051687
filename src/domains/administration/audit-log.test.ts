// Finding people and courses, verified marks, and the log of what administrators did.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { makeFailingJob } from '../../../test/failing-job.ts'
import { recordAct } from './record-act.ts'
import { perPage } from './rules.ts'

let app: TestApp
let admin: Someone
beforeAll(async () => {
  app = await startTestApp()
  admin = await someone('Ada Admin')
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
})
afterAll(() => app?.stop())

async function someone(name?: string, email?: string) {
  const person = await makePerson(app.services, { name, email })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const read = async (path: string) => {
  const { status, body } = await app.request(`/rest/v1/admin/${path}`, { cookie: admin.cookie })
  expect(status).toBe(200)
  return body
}
const namesOf = async (query: string): Promise<string[]> =>
  (await read(`people?${query}`)).people.map(({ name }: { name: string }) => name)

describe('finding people', () => {
  test('by the beginning of a name or username, by the whole address, and by what they are', async () => {
    const zoe = await someone('Zoë Quill', 'zoe.quill@example.com')
    await someone('Quentin Zoë')
    expect(await namesOf('search=zo%C3%AB')).toEqual(['Zoë Quill'])
    expect(await namesOf('search=ZOE.quill@example.com')).toEqual(['Zoë Quill'])
    expect(await namesOf('search=zoe.quill')).toEqual([])
    expect(await namesOf(`search=${zoe.username}`)).toEqual(['Zoë Quill'])
    expect(await namesOf(`search=${zoe.id}`)).toEqual(['Zoë Quill'])
    expect(await namesOf('search=%25')).toEqual([])
    expect(await namesOf('search=_')).toEqual([])
    expect(await namesOf('filter=admins')).toEqual(['Ada Admin'])
    await app.services.pool.query('insert into plan_grants (user_id) values ($1)', [zoe.id])
    expect(await namesOf('filter=pro')).toEqual(['Zoë Quill'])
    expect(await namesOf('filter=verified')).toEqual([])
  })

  test('page by page, newest first', async () => {
    const made: string[] = []
    for (let count = 0; count < perPage + 2; count += 1) {
      made.unshift((await makePerson(app.services, { name: `Paged ${count}` })).name)
    }
    const first = await read('people?search=paged')
    const second = await read(`people?search=paged&cursor=${first.nextCursor}`)
    const names = [...first.people, ...second.people].map(({ name }: { name: string }) => name)
    expect(names).toEqual(made)
    expect(second.nextCursor).toBe(null)
    const wrong = await app.request('/rest/v1/admin/people?cursor=nowhere', {
      cookie: admin.cookie,
    })
    expect(wrong.status).toBe(400)
  })

  test('the page of a person tells facts, and nothing private', async () => {
    const person = await someone('Facts')
    await makeCourse(app.services, person, { title: 'Facts of life' })
    const details = await read(`people/${person.id}`)
    expect(details).toMatchObject({
      email: person.email,
      plan: 'free',
      sessionsCount: 1,
      enrollmentsCount: 1,
      coursesCount: 1,
      courses: [{ title: 'Facts of life', status: 'published', isSuspended: false }],
      suspensions: [],
      acts: [],
    })
    expect(Object.keys(details).join()).not.toMatch(/password|token|note/i)
  })
})

test('courses are found by title, address and creator, drafts too', async () => {
  const owner = await someone('Mona Maker')
  const shown = await makeCourse(app.services, owner, { title: 'Baking with yeast' })
  const draft = await makeCourse(app.services, owner, { title: 'Yeast at home', status: 'draft' })
  const found = async (query: string) =>
    (await read(`courses?${query}`)).courses.map(({ id }: { id: string }) => id)
  expect(await found('search=yeast')).toEqual([draft.id, shown.id])
  expect(await found('search=baking%20with')).toEqual([shown.id])
  expect(await found('search=mona')).toEqual([draft.id, shown.id])
  expect(await found('search=mona&filter=draft')).toEqual([draft.id])
  expect(await found('search=mona&filter=suspended')).toEqual([])
  expect(await read(`courses/${draft.id}`)).toMatchObject({ status: 'draft', openReports: 0 })
})

test('verified marks come and go, once each in the log', async () => {
  const person = await someone('Vera Verified')
  const course = await makeCourse(app.services, person)
  const mark = (path: string, verified: boolean) =>
    app.request(`/rest/v1/admin/${path}/verified`, {
      method: 'PUT',
      body: { verified },
      cookie: admin.cookie,
    })
  for (const path of [`people/${person.id}`, `courses/${course.id}`]) {
    expect((await mark(path, true)).body).toEqual({ verified: true })
    expect((await mark(path, true)).body).toEqual({ verified: true })
    expect((await read(path)).verified).toBe(true)
  }
  expect((await app.request(`/rest/v1/courses/${course.slug}`)).body).toMatchObject({
    verified: true,
    instructor: { verified: true },
  })
  expect((await mark(`people/${person.id}`, false)).status).toBe(200)
  const actions = (await read('acts')).acts.map(({ action }: { action: string }) => action)
  expect(actions.slice(0, 3)).toEqual(['unverify_account', 'verify_course', 'verify_account'])
})

test('sessions are ended everywhere', async () => {
  const person = await someone()
  const ended = await app.request(`/rest/v1/admin/people/${person.id}/end-sessions`, {
    method: 'POST',
    body: {},
    cookie: admin.cookie,
  })
  expect(ended.body).toEqual({ ended: 1 })
  expect((await app.request('/rest/v1/me', { cookie: person.cookie })).body).toBe(null)
})

describe('the log', () => {
  test('is read by act, actor and subject, page by page', async () => {
    const subject = await someone('Subject')
    const other = await someone('Other Actor')
    for (let count = 0; count < perPage + 1; count += 1) {
      await recordAct(app.services.db, {
        actorId: other.id,
        action: 'announce',
        subject: { kind: 'announcement', id: null, name: `News ${count}` },
      })
    }
    await recordAct(app.services.db, {
      actorId: null,
      action: 'give_pro',
      subject: { kind: 'account', id: subject.id, name: subject.name },
    })
    const first = await read(`acts?actorId=${other.id}`)
    const second = await read(`acts?actorId=${other.id}&cursor=${first.nextCursor}`)
    expect([first.acts.length, second.acts.length]).toEqual([perPage, 1])
    expect(second.acts[0].subjectName).toBe('News 0')
    const about = await read(`acts?subjectKind=account&subjectId=${subject.id}`)
    expect(about.acts).toMatchObject([{ action: 'give_pro', actor: null, subjectName: 'Subject' }])
    expect((await read('acts?action=give_pro')).acts).toHaveLength(1)
    const nonsense = await app.request('/rest/v1/admin/acts?action=nonsense', {
      cookie: admin.cookie,
    })
    expect(nonsense.status).toBe(422)
  })

  test('cannot be changed, shortened or emptied', async () => {
    const run = (statement: string) => app.services.pool.query(statement)
    for (const statement of [
      `update administrative_acts set action = 'announce'`,
      `update administrative_acts set reason = 'Another one'`,
      `update administrative_acts set subject_name = 'Somebody else'`,
      `update administrative_acts set created_at = now()`,
      `update administrative_acts set subject_id = null where subject_kind = 'course'`,
      `update administrative_acts set subject_id = null where subject_kind = 'account'`,
      'delete from administrative_acts',
      'truncate administrative_acts',
      'truncate users cascade',
    ]) {
      await expect(run(statement), statement).rejects.toThrow('append-only')
    }
  })

  test('begins with what waits: requests for support, failing jobs', async () => {
    const before = await read('overview')
    const { cookie } = await someone()
    const sent = await app.request('/rest/v1/support/requests', {
      method: 'POST',
      body: { topic: 'account', subject: 'A new address', message: 'How do I change mine?' },
      cookie,
    })
    expect(sent.status).toBe(200)
    await makeFailingJob(app.services)
    expect(await read('overview')).toMatchObject({
      supportRequests: before.supportRequests + 1,
      failingJobs: before.failingJobs + 1,
    })
  })

  test('has what happens beside these pages: reports, payment events', async () => {
    await app.services.pool.query(
      `insert into payment_events (id, type, object_id, occurred_at, source, status)
       values ('evt_log', 'invoice.paid', 'in_log', now(), 'webhook', 'failed')`,
    )
    expect((await read('overview')).failedPaymentEvents).toBe(1)
    const replayed = await app.request('/rest/v1/payment-events/evt_log/replay', {
      method: 'POST',
      body: {},
      cookie: admin.cookie,
    })
    expect(replayed.status).toBe(200)
    const { acts } = await read('overview')
    expect(acts[0]).toMatchObject({
      action: 'replay_event',
      subjectId: 'evt_log',
      actor: { id: admin.id },
    })
  })

  test('has what administrators delete in discussions, once; not what is their own, nor what others delete', async () => {
    const owner = await someone()
    const member = await someone()
    const course = await makeCourse(app.services, owner)
    const own = await makeCourse(app.services, admin)
    await joinCourse(app.services, admin, course)
    const remove = (path: string, { cookie }: Someone) =>
      app.request(`/rest/v1/${path}`, { method: 'DELETE', cookie })
    const written = (by: Someone, where: typeof course = course) =>
      makePost(app.services, where, { by })

    const kept = await written(member)
    const commented = (by: Someone) => makeComment(app.services, kept, { by })
    const comment = await commented(member)
    expect((await remove(`comments/${comment}`, admin)).status).toBe(200)
    expect((await remove(`comments/${comment}`, admin)).status).toBe(404)
    const post = await written(member)
    const both = await Promise.all([remove(`posts/${post}`, admin), remove(`posts/${post}`, admin)])
    expect(both.map(({ status }) => status)).toContain(200)
    for (const [path, by] of [
      [`posts/${await written(admin)}`, admin],
      [`posts/${await written(member, own)}`, admin],
      [`comments/${await commented(admin)}`, admin],
      [`posts/${await written(member)}`, member],
      [`posts/${await written(member)}`, owner],
      [`comments/${await commented(member)}`, owner],
    ] as const) {
      expect((await remove(path, by)).status).toBe(200)
    }

    const about = await read(`acts?subjectKind=course&subjectId=${course.id}`)
    const act = { subjectName: course.slug, actor: { id: admin.id }, reason: '' }
    expect(about.acts).toMatchObject([
      { ...act, action: 'delete_post' },
      { ...act, action: 'delete_comment' },
    ])
    expect((await read(`acts?subjectKind=course&subjectId=${own.id}`)).acts).toEqual([])
  })

  test('is for administrators: not for creators, not for strangers', async () => {
    const creator = await someone()
    for (const path of ['overview', 'people', 'courses', 'appeals', 'acts']) {
      const address = `/rest/v1/admin/${path}`
      expect((await app.request(address)).status).toBe(401)
      expect((await app.request(address, { cookie: creator.cookie })).status).toBe(403)
    }
  })
})
