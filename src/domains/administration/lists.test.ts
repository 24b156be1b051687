// Where the lists of administrators end, what they are narrowed to, and since when the queue waits.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { makeFailingJob } from '../../../test/failing-job.ts'
import { perPage } from './rules.ts'

let app: TestApp
let admin: Someone
beforeAll(async () => {
  // Jobs wait, so that they can be looked at.
  app = await startTestApp({ JOBS: 'off' })
  admin = await someone('Ada Admin')
  await query(`update users set role = 'admin' where id = $1`, admin.id)
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await query('delete from graphile_worker._private_jobs')
  await query('delete from suspensions')
})

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const see = (path: string) => app.request(`/rest/v1/admin/${path}`, { cookie: admin.cookie })

describe('lists', () => {
  test('that end with a page lead to no other one', async () => {
    await query(
      `insert into users (name, email, username)
       select 'Paged', gen_random_uuid() || '@example.com', 'paged-' || n from generate_series(1, $1::int) n`,
      perPage,
    )
    const owner = await someone('Oona Owner')
    for (let count = 0; count < perPage; count += 1) {
      await makeCourse(app.services, owner)
      await makeFailingJob(app.services)
    }
    await query(
      `insert into suspensions (user_id, reason, appeal, appealed_at)
       select id, 'Because.', 'No.', now() from users where name = 'Paged'`,
    )
    await query(
      `insert into announcements (title, message, audience, created_at)
       select 'Paged', 'So.', 'pro', now() from generate_series(1, $1::int)`,
      perPage,
    )
    await query(
      `insert into administrative_acts (actor_id, action, subject_kind, subject_name)
       select $1, 'announce', 'announcement', 'Paged' from generate_series(1, $2::int)`,
      admin.id,
      perPage,
    )
    const pages = {
      people: 'people?search=paged',
      courses: 'courses?search=oona',
      jobs: 'jobs/failing',
      appeals: 'appeals',
      announcements: 'announcements',
      acts: `acts?actorId=${admin.id}`,
    }
    for (const [name, path] of Object.entries(pages)) {
      const { body } = await see(path)
      expect([name, body[name].length, body.nextCursor]).toEqual([name, perPage, null])
    }
  })

  test('of appeals go on page by page, who waited longest first', async () => {
    await query(
      `with people as (
         insert into users (name, email)
         select n, gen_random_uuid() || '@example.com' from generate_series(1, $1::int) n
         returning id, name)
       insert into suspensions (user_id, reason, appeal, appealed_at)
       select id, 'Because.', 'No.', now() - name::int * interval '1 minute' from people`,
      perPage + 2,
    )
    const first = (await see('appeals')).body
    const second = (await see(`appeals?cursor=${first.nextCursor}`)).body
    const names = [...first.appeals, ...second.appeals].map(
      ({ account }: { account: { name: string } }) => Number(account.name),
    )
    expect(names).toEqual(Array.from({ length: perPage + 2 }, (_, at) => perPage + 2 - at))
    expect([first.appeals.length, second.nextCursor]).toEqual([perPage, null])
    const nowhere = await see('appeals?cursor=nowhere')
    expect([nowhere.status, nowhere.body.message]).toEqual([400, 'This is not a place in the list'])
  })

  test('of acts are of the kind that was asked for, whatever else has the same id', async () => {
    for (const kind of ['account', 'course']) {
      await query(
        `insert into administrative_acts (actor_id, action, subject_kind, subject_id, subject_name)
         values ($1, 'announce', $2, 'the same', $2)`,
        admin.id,
        kind,
      )
    }
    const kinds = async (search: string) =>
      (await see(`acts?subjectId=the%20same&${search}`)).body.acts.map(
        ({ subjectKind }: { subjectKind: string }) => subjectKind,
      )
    expect(await kinds('')).toEqual(['course', 'account'])
    expect(await kinds('subjectKind=account')).toEqual(['account'])
  })

  test.each(['people', 'courses'])('%s are looked for with up to 200 characters', async (list) => {
    expect((await see(`${list}?search=${'x'.repeat(200)}`)).status).toBe(200)
    const { status, body } = await see(`${list}?search=${'x'.repeat(201)}`)
    expect([status, body.message]).toEqual([422, 'The search can have at most 200 characters'])
  })

  test('without a search are of everybody, however many they are', async () => {
    await query(
      `insert into users (name, email, username)
       select 'Many', gen_random_uuid() || '@example.com', 'many-' || n from generate_series(1, 1500) n`,
    )
    const newest = await someone('Newest of all')
    const course = await makeCourse(app.services, newest)
    expect((await see('people')).body.people[0]).toMatchObject({ id: newest.id })
    expect((await see('courses')).body.courses[0]).toMatchObject({ id: course.id })
  })
})

test('the queue says since when the longest wait is, of whatever kind, or that nothing waits', async () => {
  const waitingSince = async () => (await see('jobs')).body.waitingSince
  await makeFailingJob(app.services, { name: 'ofTomorrow', attempts: 0, error: null })
  expect(await waitingSince()).toBeNull()
  const now = Date.now()
  const waits = async (name: string, minutes: number) => {
    const runAt = new Date(now - minutes * 60_000)
    await makeFailingJob(app.services, { name, attempts: 0, error: null, runAt, createdAt: runAt })
  }
  await waits('kindA', 3)
  await waits('kindB', 9)
  await waits('kindC', 5)
  await waits('kindD', 7)
  expect(await waitingSince()).toBe(new Date(now - 9 * 60_000).toISOString())
})

test('an account without an email address is shown without one, to administrators and to creators', async () => {
  const [owner, other] = [await someone('Oona Owner'), await someone('Wim Wallet')]
  const course = await makeCourse(app.services, owner)
  await query(`update users set email = '0x1234@siwe.placeholder.invalid' where id = $1`, other.id)
  await app.request('/rest/v1/enrollments', { cookie: other.cookie, body: { courseId: course.id } })
  await query('insert into plan_grants (user_id) values ($1)', owner.id)
  const asOwner = (path: string) => app.request(`/rest/v1/${path}`, { cookie: owner.cookie })
  const seen = [
    await see(`people?search=${other.username}`),
    await see(`people/${other.id}`),
    await asOwner(`courses/${course.slug}/members`),
    await asOwner(`courses/${course.id}/members/export`),
    await asOwner('students/export'),
  ]
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(seen[0]!.body.people).toMatchObject([{ id: other.id, email: '' }])
  for (const { body } of seen) {
    expect(JSON.stringify(body)).toContain('Wim Wallet')
    expect(JSON.stringify(body)).not.toContain('.invalid')
  }
  const guessed = await asOwner(`courses/${course.slug}/members?search=0x12`)
  expect([guessed.status, guessed.body.members]).toEqual([200, []])
})
