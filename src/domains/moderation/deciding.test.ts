// What moderators do in a case, who is told of it, and what is left of it for whom.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange, waitingFor } from '../../../test/behind-change.ts'
import { eventsOf } from '../../../test/events-of.ts'
import {
  joinCourse,
  makeCase,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { deleteAccount } from '../accounts/delete-account.ts'

let app: TestApp
/** The same people in all tests, each time in another course. */
let admin: Someone
let instructor: Someone
let author: Someone
let reader: Someone
let other: Someone
let course: Awaited<ReturnType<typeof makeCourse>>
/** By the author. */
let postId: string
beforeAll(async () => {
  app = await startTestApp()
  admin = await someone('Ada Admin')
  instructor = await someone('Ida Instructor')
  author = await someone('Abe Author')
  reader = await someone('Rea Reader')
  other = await someone('Otto Other')
  await query(`update users set role = 'admin' where id = $1`, admin.id)
})
beforeEach(async () => {
  course = await makeCourse(app.services, instructor, { title: 'Knots ⚡' })
  for (const one of [author, reader, other]) await joinCourse(app.services, one, course)
  postId = await makePost(app.services, course, { by: author, content: 'Buy this' })
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

/** Reported by two. */
async function openCase(about: { postId: string } | { commentId: string } = { postId }) {
  await makeCase(app.services, course, { ...about, by: other, reason: 'hate' })
  return makeCase(app.services, course, { ...about, by: reader })
}

const decide = (caseId: string, action: string, note = '', by = instructor) =>
  app.request(`/rest/v1/moderation-cases/${caseId}/actions`, {
    body: { action, note },
    cookie: by.cookie,
  })

const statusOf = async (id: string, table: 'posts' | 'comments' = 'posts') =>
  (await query(`select status from ${table} where id = $1`, id))[0]?.status

/** Of this course. */
const noticesOf = (person: { id: string }, kind: string) =>
  query(
    `select title, message, href from notifications
      where user_id = $1 and kind = $2 and (href is null or href like $3) order by id`,
    person.id,
    kind,
    `/course/${course.slug}%`,
  )

const decided = (what: string, outcome: string, place: string) => ({
  title: 'We looked at what you reported',
  message: `We looked at the ${what} that you reported in “Knots”. ${outcome} Thank you for looking after the community.`,
  href: place,
})

describe('an action', () => {
  test('hide takes it out of sight, closes the case and tells the author and who reported', async () => {
    const caseId = await openCase()
    const heard = await eventsOf(app.services, instructor.id)
    const { status, body } = await decide(caseId, 'hide', 'No advertising, please')
    expect([status, body]).toMatchObject([
      200,
      {
        status: 'closed',
        outcome: 'hide',
        subjectStatus: 'hidden',
        closedAt: expect.stringMatching(/Z$/),
        reportsCount: 2,
        history: [
          { action: 'hide', note: 'No advertising, please', moderator: { id: instructor.id } },
        ],
      },
    ])
    expect((await heard.next()).value).toEqual({ type: 'moderation', courseId: course.id })
    await heard.return()
    expect(await statusOf(postId)).toBe('hidden')
    const place = `/course/${course.slug}/dashboard?tab=discussion`
    expect(await noticesOf(author, 'content_moderated')).toEqual([
      {
        title: 'Your post was hidden',
        message:
          'Your post in “Knots” was hidden, because it does not keep to the rules of its community. The moderators wrote: “No advertising, please”',
        href: place,
      },
    ])
    for (const one of [reader, other]) {
      expect(await noticesOf(one, 'report_decided')).toEqual([
        decided('post', 'It was removed.', place),
      ])
    }
    const seen = await app.request(`/rest/v1/posts/${postId}`, { cookie: reader.cookie })
    expect(seen.status).toBe(404)

    const back = await decide(caseId, 'restore')
    expect([back.status, back.body]).toMatchObject([
      200,
      { status: 'closed', outcome: 'hide', subjectStatus: 'published' },
    ])
    expect(await statusOf(postId)).toBe('published')
    expect((await noticesOf(author, 'content_moderated'))[1]).toEqual({
      title: 'Your post is back',
      message: 'Your post in “Knots” can be seen again.',
      href: `${place}&post=${postId}`,
    })
    expect(await noticesOf(reader, 'report_decided')).toHaveLength(1)
    const again = await decide(caseId, 'restore')
    expect([again.status, again.body.message]).toEqual([
      409,
      'There is nothing to restore: it is not hidden.',
    ])
  })

  test('delete deletes a post, or a comment, and leaves what it said to the moderators', async () => {
    const commentId = await makeComment(app.services, postId, { by: author, content: 'And this' })
    const ofComment = await openCase({ commentId })
    const ofPost = await openCase()
    const { body } = await decide(ofComment, 'delete')
    expect(body).toMatchObject({
      status: 'closed',
      outcome: 'delete',
      subjectStatus: 'deleted',
      content: 'And this',
      commentId: null,
    })
    expect(await statusOf(commentId, 'comments')).toBeUndefined()
    expect(await query('select comments_count from posts where id = $1', postId)).toEqual([
      { comments_count: 0 },
    ])
    expect((await decide(ofPost, 'delete')).body).toMatchObject({
      subjectStatus: 'deleted',
      content: 'Buy this',
      postId: null,
    })
    expect(await statusOf(postId)).toBeUndefined()
    expect((await noticesOf(author, 'content_moderated')).map(({ title }) => title)).toEqual([
      'Your comment was deleted',
      'Your post was deleted',
    ])
    const restore = await decide(ofPost, 'restore')
    expect(restore.status).toBe(409)
  })

  test('hide of a comment hides the comment', async () => {
    const commentId = await makeComment(app.services, postId, { by: author })
    const caseId = await openCase({ commentId })
    expect((await decide(caseId, 'hide')).body).toMatchObject({ subjectStatus: 'hidden' })
    expect(await statusOf(commentId, 'comments')).toBe('hidden')
    expect(await statusOf(postId)).toBe('published')
    expect((await decide(caseId, 'restore')).body).toMatchObject({ subjectStatus: 'published' })
    expect((await noticesOf(author, 'content_moderated'))[1]!.href).toMatch(
      new RegExp(`post=${postId}&comment=${commentId}$`),
    )
  })

  test('warn says why, and dismiss says nothing to the author; both let it stand', async () => {
    const commentId = await makeComment(app.services, postId, { by: author })
    const warned = await openCase()
    const dismissed = await openCase({ commentId })
    const wordless = await decide(warned, 'warn', ' ')
    expect([wordless.status, wordless.body.message]).toEqual([
      422,
      'Please write what you warn about',
    ])
    expect((await decide(warned, 'warn', 'Be kind')).body).toMatchObject({ outcome: 'warn' })
    expect((await decide(dismissed, 'dismiss', 'Harmless')).body).toMatchObject({
      outcome: 'dismiss',
      subjectStatus: 'published',
    })
    expect(await noticesOf(author, 'content_moderated')).toEqual([
      {
        title: 'A warning about your post',
        message:
          'Your post in “Knots” does not keep to the rules of its community. The moderators wrote: “Be kind”',
        href: `/course/${course.slug}/dashboard?tab=discussion&post=${postId}`,
      },
    ])
    const told = await noticesOf(reader, 'report_decided')
    expect(told.map(({ message }) => message)).toEqual([
      'We looked at the post that you reported in “Knots”. We have talked to its author. Thank you for looking after the community.',
      'We looked at the comment that you reported in “Knots”. It can stay, because it keeps to the rules of the community. Thank you for looking after the community.',
    ])
    expect(JSON.stringify(told)).not.toContain('Harmless')
  })

  test('remove member takes the author out of the course and hides what was reported', async () => {
    const caseId = await openCase()
    const heard = await eventsOf(app.services, author.id)
    const { status, body } = await decide(caseId, 'remove_member', 'Third time')
    expect([status, body]).toMatchObject([
      200,
      { outcome: 'remove_member', subjectStatus: 'hidden', authorIsMember: false },
    ])
    expect((await heard.next()).value).toEqual({ type: 'accessEnded', courseId: course.id })
    await heard.return()
    const feed = await app.request(`/rest/v1/courses/${course.slug}/posts`, {
      cookie: author.cookie,
    })
    expect(feed.status).toBe(403)
    expect(await noticesOf(author, 'member_removed')).toEqual([
      {
        title: 'Removed from Course',
        message:
          'You have been removed from the course “Knots”. The moderators wrote: “Third time”',
        href: `/course/${course.slug}`,
      },
    ])
    expect(await noticesOf(author, 'content_moderated')).toEqual([])
    expect((await decide(caseId, 'restore')).body).toMatchObject({ subjectStatus: 'published' })
    // Who has left hears nothing any more.
    expect(await noticesOf(author, 'content_moderated')).toEqual([])
  })

  test('note needs one, is told to nobody, and is possible after the end', async () => {
    const caseId = await openCase()
    const empty = await decide(caseId, 'note')
    expect([empty.status, empty.body.message]).toEqual([422, 'Please write a note'])
    expect((await decide(caseId, 'note', 'I asked them')).body).toMatchObject({ status: 'open' })
    await decide(caseId, 'dismiss')
    const { body } = await decide(caseId, 'note', 'And <b>then</b>', admin)
    expect(body).toMatchObject({
      status: 'closed',
      outcome: 'dismiss',
      history: [
        { action: 'note', note: 'I asked them', moderator: { name: 'Ida Instructor' } },
        { action: 'dismiss', note: '' },
        { action: 'note', note: 'And <b>then</b>', moderator: { name: 'Ada Admin' } },
      ],
    })
    expect(await noticesOf(author, 'content_moderated')).toEqual([])
    expect(await noticesOf(reader, 'report_decided')).toHaveLength(1)
  })
})

describe('nothing is done', () => {
  test('by the one who comes second', async () => {
    const caseId = await openCase()
    const both = await Promise.all([
      decide(caseId, 'hide'),
      decide(caseId, 'delete', '', admin),
      decide(caseId, 'warn', 'Be kind'),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const refused = both.find(({ status }) => status === 409)!
    expect([refused.body.code, refused.body.message]).toEqual([
      'ALREADY_DECIDED',
      'Somebody has decided this case already.',
    ])
    expect(await query('select 1 from moderation_actions where case_id = $1', caseId)).toHaveLength(
      1,
    )
    expect(await noticesOf(author, 'content_moderated')).toHaveLength(1)
    expect(await noticesOf(reader, 'report_decided')).toHaveLength(1)
  })

  test('while the author deletes it and others report it: nobody waits forever', async () => {
    const cases = [await openCase()]
    const commentId = await makeComment(app.services, postId, { by: author })
    cases.push(await openCase({ commentId }))
    const answers = await Promise.all([
      decide(cases[0]!, 'hide'),
      decide(cases[1]!, 'delete'),
      app.request(`/rest/v1/posts/${postId}`, { method: 'DELETE', cookie: author.cookie }),
      app.request('/rest/v1/reports', {
        body: { postId, reason: 'spam' },
        cookie: instructor.cookie,
      }),
      app.request('/rest/v1/reports', {
        body: { commentId, reason: 'spam' },
        cookie: instructor.cookie,
      }),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    // Whoever comes after moderators who hid it finds nothing to delete.
    const deleted = answers[2].status
    expect([deleted, await statusOf(postId)]).toEqual(
      deleted === 200 ? [200, undefined] : [404, 'hidden'],
    )
  })

  test.each(['edits it', 'comments on it'])(
    'against an author who %s at the moment of the removal: nobody waits forever',
    async (what) => {
      const caseId = await openCase()
      const write = () =>
        what === 'edits it'
          ? app.request(`/rest/v1/posts/${postId}`, {
              method: 'PUT',
              body: { content: 'Buy that' },
              cookie: author.cookie,
            })
          : app.request('/rest/v1/comments', {
              body: { postId, content: 'Buy that' },
              cookie: author.cookie,
            })
      let written: ReturnType<typeof write> | undefined
      // The removal is first in the line for the post.
      const [removed] = await behindChange(
        app.services,
        ['select 1 from posts where id = $1 for update', postId],
        [() => decide(caseId, 'remove_member', 'Third time')],
        async () => {
          written = write()
          await waitingFor(app.services, 2)
        },
      )
      const answer = await written!
      expect([removed!.status, answer.status, answer.body.code]).toEqual([200, 403, 'MEMBERS_ONLY'])
      expect(await query('select content, status from posts where id = $1', postId)).toEqual([
        { content: 'Buy this', status: 'hidden' },
      ])
    },
  )

  test('about what is gone, but to end the case', async () => {
    const caseId = await openCase()
    await app.request(`/rest/v1/posts/${postId}`, { method: 'DELETE', cookie: author.cookie })
    for (const action of ['hide', 'delete']) {
      const { status, body } = await decide(caseId, action)
      expect([status, body.message]).toEqual([
        409,
        'It was deleted already. You can dismiss the case, or warn its author.',
      ])
    }
    const { body } = await decide(caseId, 'dismiss')
    expect(body).toMatchObject({ status: 'closed', subjectStatus: 'deleted', content: 'Buy this' })
  })

  test('to somebody who has left, or to the creator of the course', async () => {
    const caseId = await openCase()
    await query(
      'delete from enrollments where user_id = $1 and course_id = $2',
      author.id,
      course.id,
    )
    for (const action of ['warn', 'remove_member']) {
      const { status, body } = await decide(caseId, action, 'Why')
      expect([status, body.message]).toEqual([
        409,
        'This person is not a member of the course any more.',
      ])
    }
    const ofInstructor = await openCase({ postId: await makePost(app.services, course) })
    const { status, body } = await decide(ofInstructor, 'remove_member', 'Why', admin)
    expect([status, body.message]).toEqual([
      403,
      'The creator of a course cannot be removed from it.',
    ])
    const warned = await decide(ofInstructor, 'warn', 'Be kind', admin)
    expect(warned.body).toMatchObject({ outcome: 'warn', aboutInstructor: true })
    expect(await noticesOf(instructor, 'content_moderated')).toHaveLength(1)
  })

  test('by members, strangers, instructors of other courses, or in an unknown way', async () => {
    const caseId = await openCase()
    const elsewhere = await someone()
    await makeCourse(app.services, elsewhere)
    for (const by of [author, reader, elsewhere]) {
      expect((await decide(caseId, 'dismiss', '', by)).status).toBe(403)
    }
    const odd = await decide(caseId, 'burn')
    expect([odd.status, odd.body.message]).toEqual([422, 'Please choose what to do'])
    const long = await decide(caseId, 'hide', 'x'.repeat(2001))
    expect([long.status, long.body.message]).toEqual([
      422,
      'The note can have at most 2,000 characters',
    ])
    expect(await query('select status from moderation_cases where id = $1', caseId)).toEqual([
      { status: 'open' },
    ])
  })
})

test('accounts that go take their reports, and the words that were reported', async () => {
  const [writer, reporter] = [await someone(), await someone()]
  await joinCourse(app.services, writer, course)
  const bad = await makePost(app.services, course, { by: writer, content: 'Very bad words' })
  const commentId = await makeComment(app.services, postId, { by: writer, content: 'Bad words' })
  const caseId = await makeCase(app.services, course, { postId: bad, by: reader })
  await makeCase(app.services, course, { postId: bad, by: reporter, reason: 'hate' })
  const ofComment = await makeCase(app.services, course, { commentId, by: reporter })
  const leave = (person: Someone) =>
    app.services.db.transaction((transaction) =>
      deleteAccount(transaction, app.services, person.id, {
        membersCourses: null,
        givesUpEarnings: false,
      }),
    )
  expect(await Promise.all([leave(reporter), leave(writer)])).toEqual(['deleted', 'deleted'])
  const seen = async (id: string) =>
    (await app.request(`/rest/v1/moderation-cases/${id}`, { cookie: instructor.cookie })).body
  expect(await seen(caseId)).toMatchObject({
    author: null,
    authorIsMember: false,
    content: '',
    subjectStatus: 'deleted',
    status: 'open',
    reportsCount: 1,
    reasons: [{ reason: 'spam', count: 1 }],
  })
  expect(await seen(ofComment)).toMatchObject({
    content: '',
    reportsCount: 0,
    reasons: [],
    reports: [],
  })
  expect((await decide(caseId, 'dismiss')).status).toBe(200)
})
