// Whom a text names: who is found, who is told, and once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { keepMentions } from './keep-mentions.ts'
import { postPath } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name: string, username?: string) {
  const person = await makePerson(app.services, { name, username })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const only = async <T extends object>(text: string, values: unknown[]): Promise<T[]> =>
  (await app.services.pool.query<T>(text, values)).rows

let made = 0

async function makeClass() {
  made += 1
  const instructor = await someone('Ina Structor', `ina-${made}`)
  const course = await makeCourse(app.services, instructor, { title: 'Breads ⚡' })
  const [ann, bob] = [await someone('Ann Lee', `ann-${made}`), await someone('Bob', `bob-${made}`)]
  await joinCourse(app.services, ann, course, new Date('2026-01-01'))
  await joinCourse(app.services, bob, course, new Date('2026-01-02'))
  const outsider = await someone('Ann Out', `out-${made}`)
  return { instructor, course, ann, bob, outsider }
}
type Class = Awaited<ReturnType<typeof makeClass>>

async function post({ course }: Class, by: Someone): Promise<string> {
  const rows = await only<{ id: string }>(
    `insert into posts (course_id, user_id, content) values ($1, $2, 'x') returning id`,
    [course.id, by.id],
  )
  return rows[0]!.id
}

async function keep(
  { course }: Class,
  by: Someone,
  facts: { postId: string; commentId?: string; text: string; told?: string[] },
) {
  const about = { courseId: course.id, instructorId: course.instructorId, slug: course.slug }
  return app.services.db.transaction((transaction) =>
    keepMentions(transaction, {
      told: [],
      ...facts,
      course: { ...about, title: 'Breads ⚡' },
      authorId: by.id,
    }),
  )
}

const namedIn = (postId: string) =>
  only('select user_id, handle from post_mentions where post_id = $1 order by handle', [postId])

const noticesOf = (userId: string) =>
  only('select kind, title, message, href from notifications where user_id = $1', [userId])

test('members and the instructor are named and told; nobody else, and not the author', async () => {
  const all = await makeClass()
  const { instructor, ann, bob, outsider, course } = all
  const postId = await post(all, ann)
  const names = [bob, instructor, ann, outsider].map(({ username }) => `@${username.toUpperCase()}`)
  const text = `${names.join(', ')}, @nobody and @${bob.username}`
  const told = await keep(all, ann, { postId, text })
  expect(new Set(told)).toEqual(new Set([bob.id, instructor.id]))
  expect(await namedIn(postId)).toEqual([
    { user_id: ann.id, handle: ann.username.toUpperCase() },
    { user_id: bob.id, handle: bob.username.toUpperCase() },
    { user_id: instructor.id, handle: instructor.username.toUpperCase() },
  ])
  expect(await noticesOf(bob.id)).toEqual([
    {
      kind: 'mentioned',
      title: 'You were mentioned',
      message: 'Somebody mentioned you in the discussion of “Breads”.',
      href: postPath(course.slug, postId),
    },
  ])
  expect([await noticesOf(ann.id), await noticesOf(outsider.id)]).toEqual([[], []])
})

test('an edit forgets and adds, and tells only who was not named before', async () => {
  const all = await makeClass()
  const { instructor, ann, bob } = all
  const postId = await post(all, instructor)
  await keep(all, instructor, { postId, text: `@${ann.username}` })
  // Known by the new name from now on, and still the one who is named.
  await only('update users set username = $2 where id = $1', [ann.id, `new-${ann.username}`])
  const told = await keep(all, instructor, { postId, text: `@${ann.username} @${bob.username}` })
  expect(told).toEqual([bob.id])
  expect((await noticesOf(ann.id)).length).toBe(1)
  expect(await keep(all, instructor, { postId, text: 'nobody' })).toEqual([])
  expect(await namedIn(postId)).toEqual([])
})

test('a comment leads to itself, and who was told already is not told again', async () => {
  const all = await makeClass()
  const { ann, bob, instructor, course } = all
  const postId = await post(all, instructor)
  const [comment] = await only<{ id: string }>(
    `insert into comments (course_id, post_id, user_id, content) values ($1, $2, $3, 'x') returning id`,
    [course.id, postId, ann.id],
  )
  const commentId = comment!.id
  const text = `@${bob.username} @${instructor.username}`
  const told = await keep(all, ann, { postId, commentId, text, told: [instructor.id] })
  expect(told).toEqual([bob.id])
  expect(await noticesOf(bob.id)).toEqual([
    expect.objectContaining({ href: postPath(course.slug, postId, commentId) }),
  ])
  expect(await noticesOf(instructor.id)).toEqual([])
  expect(await namedIn(postId), 'the post names nobody').toEqual([])
})

test('of many names the first twenty count', async () => {
  const all = await makeClass()
  const { course, instructor } = all
  const people = await only<{ id: string; username: string }>(
    `with people as (
       insert into users (name, email, username)
       select 'Bulk ' || n, n || $2 || '@bulk.example', 'bulk-' || $2 || '-' || n
         from generate_series(1, 30) n returning id, username),
     joined as (insert into enrollments (user_id, course_id) select id, $1::uuid from people)
     select id, username from people order by length(username), username`,
    [course.id, String(made)],
  )
  const postId = await post(all, instructor)
  const text = people.map(({ username }) => `@${username}`).join(' ')
  const told = await keep(all, instructor, { postId, text })
  expect(new Set(told)).toEqual(new Set(people.slice(0, 20).map(({ id }) => id)))
})

test('who leaves for good at this moment is neither named nor waited for', async () => {
  const all = await makeClass()
  const { ann, bob, instructor } = all
  const postId = await post(all, instructor)
  const client = await app.services.pool.connect()
  await client.query('begin')
  await client.query('select 1 from users where id = $1 for update', [ann.id])
  const told = await keep(all, instructor, { postId, text: `@${ann.username} @${bob.username}` })
  await client.query('rollback')
  client.release()
  expect(told).toEqual([bob.id])
})

test('people to mention are eight, who joined last first, without oneself', async () => {
  const instructor = await someone('Ina Structor')
  const course = await makeCourse(app.services, instructor)
  const people: Someone[] = []
  for (let day = 1; day <= 10; day += 1) {
    const person = await someone(`Member ${day}`)
    await joinCourse(app.services, person, course, new Date(Date.UTC(2100, 0, day)))
    people.unshift(person)
  }
  const names = async (by: Someone, search = '') => {
    const path = `/rest/v1/courses/${course.slug}/mentionable?search=${search}`
    const { body } = await app.request(path, { cookie: by.cookie })
    return body.map(({ name }: { name: string }) => name)
  }
  const last = people.map(({ name }) => name)
  expect(await names(instructor)).toEqual(last.slice(0, 8))
  expect(await names(people[0]!)).toEqual(last.slice(1, 9))
  expect(await names(instructor, 'member')).toEqual(last.toSorted().slice(0, 8))
})

test('people to mention: of this course, by the beginning of a name, without emails', async () => {
  const all = await makeClass()
  const { course, instructor, ann, bob, outsider } = all
  const find = async (search: string, by: Someone = instructor) => {
    const query = new URLSearchParams({ search })
    const path = `/rest/v1/courses/${course.slug}/mentionable?${query}`
    const { status, body } = await app.request(path, { cookie: by.cookie })
    expect([search, status]).toEqual([search, 200])
    return body
  }
  expect(await find('AN')).toEqual([
    { id: ann.id, name: 'Ann Lee', username: ann.username, avatarUrl: null, isInstructor: false },
  ])
  expect(await find('an', ann), 'not oneself').toEqual([])
  expect((await find('ina-', ann))[0]).toMatchObject({ id: instructor.id, isInstructor: true })
  for (const search of ['%', '_', '\\', "'", ann.email, '🙂', 'x'.repeat(200)]) {
    expect(await find(search)).toEqual([])
  }
  // Who joined last; then who wrote last.
  expect((await find('')).map(({ id }: { id: string }) => id)).toEqual([bob.id, ann.id])
  await post(all, ann)
  expect((await find('')).map(({ id }: { id: string }) => id)).toEqual([ann.id, bob.id])
  // No profile of who is suspended is shown.
  await only('update users set suspended_at = now() where id = $1', [bob.id])
  expect((await find('')).map(({ id }: { id: string }) => id)).toEqual([ann.id])
  expect(await find(bob.username)).toEqual([])
  const path = `/rest/v1/courses/${course.slug}/mentionable`
  expect((await app.request(path, { cookie: outsider.cookie })).status).toBe(403)
  expect((await app.request(path)).status).toBe(401)
})
