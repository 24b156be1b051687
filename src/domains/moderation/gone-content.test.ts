// What is decided about something that is gone meanwhile, or that others wrote: nothing else is touched by it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import {
  joinCourse,
  makeCase,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { openDatabase } from '../../server/db.ts'
import { addDepartedUser, departedUserId } from '../accounts/departed-user.ts'
import { caseById, casesOf as readCases } from './queries.ts'
import { choicesOf } from './ui/case-choices.ts'

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
  for (const { id } of [reader, other, instructor, admin]) {
    await app.services.rateLimits.reportsByAccount.forget(id)
  }
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

const report = (by: Someone, body: Record<string, unknown>) =>
  app.request('/rest/v1/reports', { body: { reason: 'spam', ...body }, cookie: by.cookie })
const decide = (caseId: string, action: string, note = '', by = instructor) =>
  app.request(`/rest/v1/moderation-cases/${caseId}/actions`, {
    body: { action, note },
    cookie: by.cookie,
  })
const caseOf = async (caseId: string, by = instructor) =>
  (await app.request(`/rest/v1/moderation-cases/${caseId}`, { cookie: by.cookie })).body
const casesOf = async (by: Someone, search = '') =>
  (
    await app.request(`/rest/v1/courses/${course.id}/moderation-cases${search}`, {
      cookie: by.cookie,
    })
  ).body

const postRow = async (id = postId) =>
  (await query('select status from posts where id = $1', id))[0]
const commentRow = async (id: string) =>
  (await query('select status from comments where id = $1', id))[0]
const noticesOf = (person: { id: string }, kind: string) =>
  query(
    `select title, message, href from notifications
      where user_id = $1 and kind = $2 and (href is null or href like $3) order by id`,
    person.id,
    kind,
    `/course/${course.slug}%`,
  )

/** What open pages of these people have heard about the cases of this course. */
async function heardOf(...people: Someone[]) {
  const rows = await query(`select topic from live_events where event = $1`, {
    type: 'moderation',
    courseId: course.id,
  })
  const topics = rows.map(({ topic }) => topic)
  return people.map(({ id }) => topics.filter((topic) => topic === `person:${id}`).length)
}

describe('a comment that is gone', () => {
  test('takes no post with it, whatever is decided', async () => {
    const cases = []
    for (const action of ['hide', 'delete', 'restore', 'remove_member', 'dismiss']) {
      const commentId = await makeComment(app.services, postId, { by: author, content: 'Bad' })
      cases.push({
        action,
        caseId: await makeCase(app.services, course, { commentId, by: reader }),
      })
      const gone = await app.request(`/rest/v1/comments/${commentId}`, {
        method: 'DELETE',
        cookie: author.cookie,
      })
      expect(gone.status).toBe(200)
      expect(await commentRow(commentId)).toBeUndefined()
    }
    const answers = []
    for (const { action, caseId } of cases) {
      const { status, body } = await decide(caseId, action, 'Why')
      answers.push([action, status, body.message ?? body.subjectStatus])
      expect(await postRow()).toEqual({ status: 'published' })
    }
    const deleted = 'It was deleted already. You can dismiss the case, or warn its author.'
    expect(answers).toEqual([
      ['hide', 409, deleted],
      ['delete', 409, deleted],
      ['restore', 409, 'There is nothing to restore: it is not hidden.'],
      ['remove_member', 200, 'deleted'],
      ['dismiss', 200, 'deleted'],
    ])
    const told = await noticesOf(reader, 'report_decided')
    expect(told.map(({ message }) => message)).toEqual([
      'We looked at the comment that you reported in “Knots”. It was removed. Thank you for looking after the community.',
      'We looked at the comment that you reported in “Knots”. It is not there any more. Thank you for looking after the community.',
    ])
  })

  test('and a place that is kept for its answers is nothing to hide either', async () => {
    const commentId = await makeComment(app.services, postId, { by: author, content: 'Bad' })
    await makeComment(app.services, postId, { by: other, parentId: commentId })
    const caseId = await makeCase(app.services, course, { commentId, by: reader })
    await app.request(`/rest/v1/comments/${commentId}`, { method: 'DELETE', cookie: author.cookie })
    expect(await commentRow(commentId)).toEqual({ status: 'deleted' })
    for (const action of ['hide', 'delete']) expect((await decide(caseId, action)).status).toBe(409)
    expect(await caseOf(caseId)).toMatchObject({
      subjectStatus: 'deleted',
      content: 'Bad',
      currentContent: null,
      commentId: null,
      postId: null,
      status: 'open',
    })
    const warned = await decide(caseId, 'warn', 'Be kind')
    expect(warned.body).toMatchObject({ outcome: 'warn' })
  })
})

describe('a decision', () => {
  test('is about one case: others stay open, and what they are about stays', async () => {
    const commentId = await makeComment(app.services, postId, { by: author, content: 'Bad' })
    const second = await makePost(app.services, course, { by: author, content: 'Fine' })
    const ofComment = await makeCase(app.services, course, { commentId, by: reader })
    const ofPost = await makeCase(app.services, course, { postId, by: reader })
    const ofSecond = await makeCase(app.services, course, { postId: second, by: other })
    await decide(ofComment, 'hide')
    await decide(ofSecond, 'note', 'Looks fine')
    expect([await commentRow(commentId), await postRow(), await postRow(second)]).toEqual([
      { status: 'hidden' },
      { status: 'published' },
      { status: 'published' },
    ])
    const open = await casesOf(instructor)
    expect(open.cases.map(({ id }: { id: string }) => id)).toEqual([ofSecond, ofPost])
    expect(open.openCount).toBe(2)
    const closed = await casesOf(instructor, '?status=closed')
    expect(closed.cases).toMatchObject([
      {
        id: ofComment,
        outcome: 'hide',
        subjectStatus: 'hidden',
        reportsCount: 1,
        postId,
        commentId,
      },
    ])
    expect((await caseOf(ofSecond)).history).toMatchObject([{ action: 'note' }])
    expect((await caseOf(ofPost)).history).toEqual([])
    // Of those who reported, who reported this.
    expect(await noticesOf(reader, 'report_decided')).toHaveLength(1)
    expect(await noticesOf(other, 'report_decided')).toEqual([])
    expect(await noticesOf(author, 'content_moderated')).toEqual([
      {
        title: 'Your comment was hidden',
        message:
          'Your comment in “Knots” was hidden, because it does not keep to the rules of its community.',
        href: `/course/${course.slug}/dashboard?tab=discussion`,
      },
    ])
  })

  test('says of a comment what was deleted, and warns where it stands', async () => {
    const commentIds = [
      await makeComment(app.services, postId, { by: author, content: 'One' }),
      await makeComment(app.services, postId, { by: author, content: 'Two' }),
    ]
    const cases = []
    for (const commentId of commentIds) {
      cases.push(await makeCase(app.services, course, { commentId, by: reader }))
    }
    await decide(cases[0]!, 'delete', 'Not here')
    await decide(cases[1]!, 'warn', 'Be kind')
    const place = `/course/${course.slug}/dashboard?tab=discussion`
    expect(await noticesOf(author, 'content_moderated')).toEqual([
      {
        title: 'Your comment was deleted',
        message:
          'Your comment in “Knots” was deleted, because it does not keep to the rules of its community. The moderators wrote: “Not here”',
        href: place,
      },
      {
        title: 'A warning about your comment',
        message:
          'Your comment in “Knots” does not keep to the rules of its community. The moderators wrote: “Be kind”',
        href: `${place}&post=${postId}&comment=${commentIds[1]}`,
      },
    ])
    const told = await noticesOf(reader, 'report_decided')
    expect(told.map(({ message }) => message)).toEqual([
      'We looked at the comment that you reported in “Knots”. It was removed. Thank you for looking after the community.',
      'We looked at the comment that you reported in “Knots”. We have talked to its author. Thank you for looking after the community.',
    ])
  })

  test('hides again what is hidden, and removes a member whose post is gone', async () => {
    const caseId = await makeCase(app.services, course, { postId, by: reader })
    await query(`update posts set status = 'hidden' where id = $1`, postId)
    expect((await decide(caseId, 'hide')).body).toMatchObject({ outcome: 'hide' })
    expect(await postRow()).toEqual({ status: 'hidden' })

    const gone = await makePost(app.services, course, { by: author })
    const second = await makeCase(app.services, course, { postId: gone, by: reader })
    await app.request(`/rest/v1/posts/${gone}`, { method: 'DELETE', cookie: author.cookie })
    const { status, body } = await decide(second, 'remove_member', 'Third time')
    expect([status, body]).toMatchObject([
      200,
      { outcome: 'remove_member', subjectStatus: 'deleted', authorIsMember: false },
    ])
    expect((await noticesOf(reader, 'report_decided')).at(-1)!.message).toContain('It was removed.')
  })

  test('neither warns nor removes an author whose account is gone', async () => {
    const caseId = await makeCase(app.services, course, { postId, by: reader })
    await query('update moderation_cases set author_id = null where id = $1', caseId)
    for (const action of ['warn', 'remove_member']) {
      const { status, body } = await decide(caseId, action, 'Why')
      expect([status, body.message]).toEqual([
        409,
        'This person is not a member of the course any more.',
      ])
    }
    expect((await decide(caseId, 'hide')).body).toMatchObject({ outcome: 'hide', author: null })
  })

  test('is told to who is there, and to nobody who decided it', async () => {
    await joinCourse(app.services, admin, course)
    const own = await makePost(app.services, course, { by: admin, content: 'Mine' })
    const ofAdmin = await makeCase(app.services, course, { postId: own, by: instructor })
    await makeCase(app.services, course, { postId: own, by: reader })
    await makeCase(app.services, course, { postId: own, by: other })
    await query(
      'delete from enrollments where user_id = $1 and course_id = $2',
      other.id,
      course.id,
    )
    expect((await decide(ofAdmin, 'hide', '', admin)).status).toBe(200)
    expect(await noticesOf(admin, 'content_moderated')).toEqual([])
    expect(await noticesOf(other, 'report_decided')).toEqual([])
    expect(await noticesOf(reader, 'report_decided')).toHaveLength(1)
    expect(await noticesOf(instructor, 'report_decided')).toHaveLength(1)

    const ofAuthor = await makeCase(app.services, course, { postId, by: instructor })
    await decide(ofAuthor, 'dismiss')
    expect(await noticesOf(instructor, 'report_decided')).toHaveLength(1)
  })

  test('of an administrator is in the log of administrators; of the instructor it is not', async () => {
    const first = await makeCase(app.services, course, { postId, by: reader })
    const ofAdmin = await makeCourse(app.services, admin)
    const theirs = await makeCase(app.services, ofAdmin)
    await decide(first, 'note', 'By me')
    await decide(theirs, 'dismiss', 'My own course', admin)
    await decide(first, 'hide', 'Spam', admin)
    const acts = await query(
      `select actor_id as "actorId", action, subject_kind as kind, subject_id as id, subject_name as name,
              reason, details from administrative_acts where subject_id = any($1)`,
      [first, theirs],
    )
    expect(acts).toEqual([
      {
        actorId: admin.id,
        action: 'decide_case',
        kind: 'moderation_case',
        id: first,
        name: course.slug,
        reason: 'Spam',
        details: { decision: 'hide' },
      },
    ])
  })

  test('is nobody’s whose course it is no more at this moment', async () => {
    const caseId = await makeCase(app.services, course, { postId, by: reader })
    const answers = await behindChange(
      app.services,
      // A new address is a new key, which also holds up who only wants the course to stay.
      [
        `update courses set instructor_id = $2, slug = slug || '-moved' where id = $1`,
        course.id,
        other.id,
      ],
      [
        () => decide(caseId, 'hide'),
        () =>
          app.request(`/rest/v1/courses/${course.id}/community-settings`, {
            method: 'PUT',
            body: { blockedWords: ['knot'], firstPosts: 0, firstPostsLinks: 0 },
            cookie: instructor.cookie,
          }),
      ],
    )
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [404, 'Case not found'],
      [404, 'Course not found'],
    ])
    expect(await postRow()).toEqual({ status: 'published' })
    expect(await query('select 1 from community_settings where course_id = $1', course.id)).toEqual(
      [],
    )
  })
})

describe('a report', () => {
  test('of a comment is none of its post, with the same words, and the other way round', async () => {
    const commentId = await makeComment(app.services, postId, { by: author, content: 'Buy this' })
    expect((await report(reader, { commentId })).body).toMatchObject({ again: false })
    const [first] = (await casesOf(instructor)).cases
    await decide(first.id, 'dismiss')
    expect((await report(reader, { commentId })).body).toMatchObject({ again: true })
    // Somebody else has not been answered yet.
    expect((await report(other, { commentId })).body).toMatchObject({ again: false })
    expect((await report(reader, { postId })).body).toMatchObject({ again: false })
    expect((await report(other, { postId })).body).toMatchObject({ again: false })
    const { cases, openCount } = await casesOf(instructor)
    expect(openCount).toBe(2)
    expect(cases).toMatchObject([
      { subject: 'post', commentId: null, reportsCount: 2 },
      { subject: 'comment', commentId, reportsCount: 1 },
    ])
    await decide(cases[0].id, 'dismiss')
    expect((await report(reader, { postId })).body).toMatchObject({ again: true })
    await query(`update comments set content = 'Changed' where id = $1`, commentId)
    expect((await casesOf(instructor)).cases).toMatchObject([
      { subject: 'comment', content: 'Buy this', currentContent: 'Changed' },
    ])
    expect(await noticesOf(instructor, 'content_reported')).toHaveLength(3)
    expect((await noticesOf(instructor, 'content_reported'))[0]!.message).toBe(
      'A comment in your course “Knots” was reported. Please have a look.',
    )
  })

  test('is heard of by the pages of all who moderate there, one more as well', async () => {
    const [, before] = await heardOf(instructor, admin)
    expect(before).toBe(0)
    await report(reader, { postId })
    await report(other, { postId })
    expect(await heardOf(instructor, admin, author, reader)).toEqual([2, 2, 0, 0])
    // One more of the same person changes nothing.
    await report(other, { postId })
    expect(await heardOf(instructor, admin)).toEqual([2, 2])
    const own = await makePost(app.services, course, { content: 'By the creator' })
    await report(reader, { postId: own })
    expect(await heardOf(instructor, admin)).toEqual([2, 3])
    const [about] = (await casesOf(admin)).cases
    await decide(about.id, 'dismiss', '', admin)
    expect(await heardOf(instructor, admin)).toEqual([2, 4])
  })

  test('by an administrator is told to the other ones', async () => {
    const second = await someone('Second Admin')
    await query(`update users set role = 'admin' where id = $1`, second.id)
    await joinCourse(app.services, admin, course)
    const own = await makePost(app.services, course, { content: 'By the creator' })
    const commentId = await makeComment(app.services, postId, { by: instructor })
    await report(admin, { postId: own })
    expect((await report(admin, { commentId })).body).toMatchObject({
      lookedAtBy: 'administrators',
    })
    expect(await noticesOf(admin, 'content_reported')).toEqual([])
    expect((await noticesOf(second, 'content_reported')).map(({ message }) => message)).toEqual([
      'A post by the creator of the course in “Knots” was reported. Please have a look.',
      'A comment by the creator of the course in “Knots” was reported. Please have a look.',
    ])
    await query(`update users set role = 'user' where id = $1`, second.id)
  })

  test('in a course that was left to its members is looked at by administrators', async () => {
    await app.services.db.transaction(addDepartedUser)
    await query('update courses set instructor_id = $2 where id = $1', course.id, departedUserId)
    expect((await report(reader, { postId })).body).toEqual({
      reported: true,
      again: false,
      lookedAtBy: 'administrators',
    })
    expect(await noticesOf(admin, 'content_reported')).toMatchObject([
      {
        title: 'A post was reported',
        message: 'A post in “Knots” was reported. Please have a look.',
      },
    ])
    expect(await noticesOf({ id: departedUserId }, 'content_reported')).toEqual([])
  })

  test('that waits when its creator leaves the course to its members is told to administrators', async () => {
    const told = () =>
      query(
        `select title, message from notifications where user_id = $1 and href = '/moderation'`,
        admin.id,
      )
    const creatorWhoLeft = async (membersCourses: 'keep' | 'delete', status: 'open' | 'closed') => {
      const creator = await someone()
      const [shared, alone] = [
        await makeCourse(app.services, creator),
        await makeCourse(app.services, creator),
      ]
      await joinCourse(app.services, reader, shared)
      const theirPost = await makePost(app.services, shared, { by: other })
      const waiting = await makeCase(app.services, shared, { postId: theirPost, by: reader })
      // Nobody is left in it, and so it goes.
      await makeCase(app.services, alone, { by: other })
      await query('delete from enrollments where course_id = $1', alone.id)
      if (status === 'closed') await decide(waiting, 'dismiss', '', creator)
      const { status: answer } = await app.request('/rest/v1/me/deletion', {
        body: { confirmation: 'DELETE', password: creator.password, membersCourses },
        cookie: creator.cookie,
      })
      expect(answer).toBe(200)
    }
    await creatorWhoLeft('delete', 'open')
    await creatorWhoLeft('keep', 'closed')
    expect(await told()).toEqual([])
    await creatorWhoLeft('keep', 'open')
    await creatorWhoLeft('keep', 'open')
    // Once until they have looked.
    expect(await told()).toEqual([
      {
        title: 'Reports wait for administrators',
        message: 'A creator has left in whose courses something was reported. Please have a look.',
      },
    ])
    await query(`delete from notifications where user_id = $1 and href = '/moderation'`, admin.id)
  })

  test('that meets its creator’s leaving is told to administrators', async () => {
    await app.services.db.transaction(addDepartedUser)
    const [answer] = await behindChange(
      app.services,
      // A new address is a new key, which also holds up who only wants the course to stay.
      [
        `update courses set instructor_id = $2, slug = slug || '-kept' where id = $1`,
        course.id,
        departedUserId,
      ],
      [() => report(reader, { postId })],
    )
    expect(answer!.body).toMatchObject({ again: false, lookedAtBy: 'administrators' })
    expect(await noticesOf(admin, 'content_reported')).toHaveLength(1)
  })

  test('in a course whose creator is suspended is looked at by administrators who are not', async () => {
    const second = await someone('Second Admin')
    await query(`update users set role = 'admin' where id = $1`, second.id)
    await query('update users set suspended_at = now() where id = any($1)', [
      instructor.id,
      second.id,
    ])
    expect((await report(reader, { postId })).body).toMatchObject({ lookedAtBy: 'administrators' })
    expect((await report(reader, { postId })).body).toEqual({
      reported: true,
      again: true,
      lookedAtBy: 'administrators',
    })
    const told = {
      title: 'A post was reported',
      message: 'A post in “Knots” was reported. Please have a look.',
    }
    expect(await noticesOf(admin, 'content_reported')).toMatchObject([told])
    for (const one of [instructor, second]) {
      expect(await noticesOf(one, 'content_reported')).toEqual([])
    }
    // It is no case about the creator, who goes on with it when the suspension ends.
    await query('update users set suspended_at = null where id = $1', instructor.id)
    expect((await casesOf(instructor)).cases).toMatchObject([{ aboutInstructor: false }])
    const commentId = await makeComment(app.services, postId, { by: author })
    expect((await report(reader, { commentId })).body).toMatchObject({ lookedAtBy: 'instructor' })
    await query(`update users set role = 'user', suspended_at = null where id = $1`, second.id)
  })

  test('of what was reported before the creator was suspended is told to administrators once', async () => {
    const third = await someone('Third Reader')
    await joinCourse(app.services, third, course)
    await report(reader, { postId })
    await query('update users set suspended_at = now() where id = $1', instructor.id)
    // Nothing new for them: the person has said it before.
    expect((await report(reader, { postId })).body).toMatchObject({ again: true })
    expect(await noticesOf(admin, 'content_reported')).toEqual([])
    expect((await report(other, { postId })).body).toMatchObject({ lookedAtBy: 'administrators' })
    expect((await report(third, { postId })).body).toMatchObject({ again: false })
    expect(await noticesOf(admin, 'content_reported')).toMatchObject([
      { message: 'A post in “Knots” was reported. Please have a look.' },
    ])
    expect(await noticesOf(instructor, 'content_reported')).toHaveLength(1)
    await query('update users set suspended_at = null where id = $1', instructor.id)
  })

  test('that opened a case while its creator was being suspended is told to administrators with the next one', async () => {
    await report(reader, { postId })
    await query('update users set suspended_at = now() where id = $1', instructor.id)
    // The report began before the suspension, and waited for the post until after it.
    await query(
      `update moderation_cases set created_at = now() + interval '1 second' where post_id = $1`,
      postId,
    )
    expect(await noticesOf(admin, 'content_reported')).toEqual([])
    await report(other, { postId })
    expect(await noticesOf(admin, 'content_reported')).toHaveLength(1)
    await query('update users set suspended_at = null where id = $1', instructor.id)
  })

  test('that waits when its creator is suspended is told to administrators, of whatever course', async () => {
    const waiting = {
      title: 'Reports wait for administrators',
      message:
        'A creator is suspended in whose courses something was reported. Please have a look meanwhile.',
      href: '/moderation',
    }
    const told = () =>
      query(
        `select title, message, href from notifications where user_id = $1 and href = '/moderation'`,
        admin.id,
      )
    const suspend = async ({ id }: { id: string }) => {
      const done = await app.request(`/rest/v1/admin/people/${id}/suspension`, {
        body: { reason: 'Why' },
        cookie: admin.cookie,
      })
      expect(done.status).toBe(200)
    }
    const decided = await someone()
    const closed = await makeCase(app.services, await makeCourse(app.services, decided))
    expect((await decide(closed, 'dismiss', '', decided)).status).toBe(200)
    await suspend(decided)
    expect(await told()).toEqual([])
    for (const creator of [await someone(), await someone()]) {
      for (const theirs of [
        await makeCourse(app.services, creator),
        await makeCourse(app.services, creator),
      ]) {
        await makeCase(app.services, theirs)
      }
      await suspend(creator)
    }
    // Once until they have looked.
    expect(await told()).toEqual([waiting])
  })

  test('is one of a hundred that are shown, the first ones first', async () => {
    const caseId = await makeCase(app.services, course, { postId, by: reader, note: 'The first' })
    await makeCase(app.services, course, { by: other, note: 'Of another case' })
    await query(
      `with people as (
         insert into users (name, email)
         select 'Reporter ' || n, gen_random_uuid() || '@reports.example' from generate_series(1, 100) n
         returning id)
       insert into moderation_reports (case_id, reporter_id, reason, note, created_at)
       select $1, id, 'other', n, now() + n * interval '1 second'
         from (select id, row_number() over () as n from people) numbered`,
      caseId,
    )
    const { reports, reasons } = await caseOf(caseId)
    expect(reports.map(({ note }: { note: string }) => note)).toEqual([
      'The first',
      ...Array.from({ length: 99 }, (_, at) => String(at + 1)),
    ])
    expect(reasons).toEqual([
      { reason: 'other', count: 100 },
      { reason: 'spam', count: 1 },
    ])
  })
})

test('a comment below a hidden post is hidden and restored for itself', async () => {
  const commentId = await makeComment(app.services, postId, { by: author, content: 'Bad' })
  const ofComment = await makeCase(app.services, course, { commentId, by: reader })
  const ofPost = await makeCase(app.services, course, { postId, by: reader })
  const hidden = await decide(ofPost, 'hide')
  expect(hidden.body).toMatchObject({ subjectStatus: 'hidden', ownStatus: 'hidden' })
  const below = await caseOf(ofComment)
  expect(below).toMatchObject({ subjectStatus: 'hidden', ownStatus: 'published' })
  expect(choicesOf(below)).toContain('hide')
  expect(choicesOf(below)).not.toContain('restore')
  expect((await decide(ofComment, 'hide')).body).toMatchObject({ ownStatus: 'hidden' })
  await decide(ofPost, 'restore')
  expect(await commentRow(commentId)).toEqual({ status: 'hidden' })
  const alone = await caseOf(ofComment)
  expect(alone).toMatchObject({ subjectStatus: 'hidden', ownStatus: 'hidden' })
  expect(choicesOf(alone)).toContain('restore')
  expect((await decide(ofComment, 'restore')).body).toMatchObject({
    subjectStatus: 'published',
    ownStatus: 'published',
  })
})

test('a comment below a hidden post is not restored before the post, and nobody is told that it is back', async () => {
  const commentId = await makeComment(app.services, postId, { by: author, content: 'Bad' })
  const ofComment = await makeCase(app.services, course, { commentId, by: reader })
  const ofPost = await makeCase(app.services, course, { postId, by: reader })
  await decide(ofComment, 'hide')
  expect(await caseOf(ofComment)).toMatchObject({ postIsHidden: false })
  expect((await decide(ofPost, 'hide')).body).toMatchObject({ postIsHidden: false })
  const below = await caseOf(ofComment)
  expect(below).toMatchObject({ ownStatus: 'hidden', postIsHidden: true })
  expect(choicesOf(below)).toEqual(['note'])
  // Somebody whose page is older asks for it all the same.
  const { status, body } = await decide(ofComment, 'restore')
  expect([status, body.message]).toEqual([
    409,
    'The post above it is hidden. It can be restored after the post.',
  ])
  expect(await commentRow(commentId)).toEqual({ status: 'hidden' })
  const titles = async () =>
    (await noticesOf(author, 'content_moderated')).map(({ title }) => title)
  expect(await titles()).toEqual(['Your comment was hidden', 'Your post was hidden'])
  await decide(ofPost, 'restore')
  const alone = await caseOf(ofComment)
  expect(alone).toMatchObject({ postIsHidden: false })
  expect(choicesOf(alone)).toEqual(['restore', 'note'])
  expect((await decide(ofComment, 'restore')).body).toMatchObject({ subjectStatus: 'published' })
  expect((await titles()).slice(2)).toEqual(['Your post is back', 'Your comment is back'])
})

test('cases come page by page with those of all courses, each of its status', async () => {
  const rows = await query(
    `insert into moderation_cases (course_id, subject, post_id, author_id, content, status, closed_at, created_at)
     select $1, 'comment', $2, $3, 'Case ' || n, case when n % 2 = 0 then 'closed' else 'open' end, now(),
            timestamptz '2031-01-01' + n / 12 * interval '1 microsecond'
       from generate_series(1, 82) n returning id, status, created_at::text as at`,
    course.id,
    postId,
    author.id,
  )
  const foreign = await makeCase(app.services, await makeCourse(app.services, other))
  const newestFirst = (status: string) =>
    rows
      .filter((row) => row.status === status)
      .toSorted((a, b) => (a.at + a.id < b.at + b.id ? 1 : -1))
      .map(({ id }) => id)
  const pages = async (path: string, by: Someone, status: string) => {
    const found: string[][] = []
    let cursor: string | null = null
    do {
      const search = new URLSearchParams({ status, ...(cursor ? { cursor } : {}) })
      const { body } = await app.request(`${path}?${search}`, { cookie: by.cookie })
      found.push(body.cases.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor
    } while (cursor && found.length < 3)
    return found
  }
  const ofCourse = `/rest/v1/courses/${course.id}/moderation-cases`
  for (const status of ['open', 'closed']) {
    const ids = newestFirst(status)
    const expected = [ids.slice(0, 20), ids.slice(20, 40), ids.slice(40)]
    expect(await pages(ofCourse, instructor, status)).toEqual(expected)
    expect(await pages(ofCourse, admin, status)).toEqual(expected)
    const everywhere = await pages('/rest/v1/moderation-cases', admin, status)
    expect(everywhere.flat().slice(0, 41)).toEqual(ids)
    expect(everywhere.flat().includes(foreign)).toBe(status === 'open')
  }
  const odd = await app.request(`${ofCourse}?status=all`, { cookie: instructor.cookie })
  expect([odd.status, odd.body.message]).toEqual([422, 'Please choose open or closed'])
  await query('delete from moderation_cases where course_id = $1', course.id)
})

test('the lists and the cases are read with statements that PostgreSQL has prepared', async () => {
  const { pool, db } = openDatabase(app.databaseUrl, app.services.log, { max: 1 })
  const cursor = `1.${course.id}`
  for (const withInstructors of [true, false]) {
    const scope = { courseId: course.id, withInstructors }
    await readCases(pool, scope, { status: 'open' })
    await readCases(pool, scope, { status: 'open', cursor })
    await caseById(db, scope, { caseId: course.id, viewerId: course.id, secret: 'secret' })
  }
  await readCases(pool, { courseId: null, withInstructors: true }, { status: 'open', cursor })
  const { rows } = await pool.query('select name from pg_prepared_statements order by name')
  expect(rows.map(({ name }) => name)).toEqual([
    'case false',
    'case true',
    'cases falsetruetrue',
    'cases truefalsefalse',
    'cases truefalsetrue',
    'cases truetruefalse',
    'cases truetruetrue',
  ])
  await pool.end()
})

test('what was decided about a case that is gone a moment later is answered as it was', async () => {
  const commentId = await makeComment(app.services, postId, { by: author, content: 'Bad' })
  const caseId = await makeCase(app.services, course, { commentId, by: reader })
  await query(`
    create function forget_case() returns trigger language plpgsql as $$ begin
      delete from moderation_cases where id = new.case_id; return null; end $$`)
  await query(`
    create constraint trigger forget_case after insert on moderation_actions
      deferrable initially deferred for each row
      when (new.note = 'Gone at once') execute function forget_case()`)
  const { status, body } = await decide(caseId, 'warn', 'Gone at once')
  expect([status, body.id, body.history]).toMatchObject([200, caseId, [{ note: 'Gone at once' }]])
  expect((await caseOf(caseId)).code).toBe('NOT_FOUND')
})
