// Reports of posts and comments, and who reads the cases that they open.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
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
import { watchStatements } from '../../../test/statements.ts'

let app: TestApp
let statements: ReturnType<typeof watchStatements>
/** The same people in all tests, each time in another course. */
let admin: Someone
let instructor: Someone
let author: Someone
let reader: Someone
let stranger: Someone
beforeAll(async () => {
  app = await startTestApp()
  statements = watchStatements(app)
  admin = await someone('Ada Admin')
  instructor = await someone('Ida Instructor')
  author = await someone('Abe Author')
  reader = await someone('Rea Reader')
  stranger = await someone('Stu Stranger')
  await query(`update users set role = 'admin' where id = $1`, admin.id)
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

/** A course with two members, one of whom wrote a post. */
async function community(owner = instructor) {
  const course = await makeCourse(app.services, owner, { title: 'Knots' })
  for (const one of [author, reader]) await joinCourse(app.services, one, course)
  const postId = await makePost(app.services, course, { by: author, content: 'Buy this' })
  await app.services.rateLimits.reportsByAccount.forget(reader.id)
  return { course, postId }
}

const report = (by: Someone | null, body: Record<string, unknown>): Promise<Answer> =>
  app.request('/rest/v1/reports', { body: { reason: 'spam', ...body }, cookie: by?.cookie })

const casesOf = (course: { id: string }, by: Someone, search = '') =>
  app.request(`/rest/v1/courses/${course.id}/moderation-cases${search}`, { cookie: by.cookie })

const caseOf = (id: string, by: Someone) =>
  app.request(`/rest/v1/moderation-cases/${id}`, { cookie: by.cookie })

const noticesOf = (person: { id: string }, course: { slug: string }) =>
  query(
    `select title, message, href from notifications
      where user_id = $1 and kind = 'content_reported' and href like $2 order by id`,
    person.id,
    `/course/${course.slug}/%`,
  )

describe('a report', () => {
  test('opens a case, and tells the instructor and nobody else', async () => {
    const { course, postId } = await community()
    const heard = await eventsOf(app.services, instructor.id)
    const heardByAdmin = await eventsOf(app.services, admin.id)
    const sent = await report(reader, { postId, reason: 'harassment', note: ' Rude\r\n to me ' })
    expect([sent.status, sent.body]).toEqual([
      200,
      { reported: true, again: false, lookedAtBy: 'instructor' },
    ])
    const said = { type: 'moderation', courseId: course.id }
    expect((await heardByAdmin.next()).value).toEqual(said)
    const both = [(await heard.next()).value, (await heard.next()).value]
    expect(both).toEqual(expect.arrayContaining([said, { type: 'notification' }]))
    await Promise.all([heard.return(), heardByAdmin.return()])

    const { status, body } = await casesOf(course, instructor)
    expect([status, body.openCount, body.nextCursor]).toEqual([200, 1, null])
    const found = {
      id: expect.any(String),
      course: { id: course.id, slug: course.slug, title: 'Knots' },
      subject: 'post',
      postId,
      commentId: null,
      subjectStatus: 'published',
      ownStatus: 'published',
      postIsHidden: false,
      content: 'Buy this',
      currentContent: null,
      showsElse: false,
      author: { id: author.id, name: 'Abe Author', username: author.username, avatarUrl: null },
      authorIsMember: true,
      aboutInstructor: false,
      status: 'open',
      outcome: null,
      reportsCount: 1,
      reasons: [{ reason: 'harassment', count: 1 }],
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      closedAt: null,
    }
    expect(body.cases).toEqual([found])
    const one = await caseOf(body.cases[0].id, instructor)
    expect(one.body).toEqual({
      ...found,
      attachments: [],
      pollAnswers: [],
      reports: [
        {
          id: expect.any(String),
          reporter: {
            id: reader.id,
            name: 'Rea Reader',
            username: reader.username,
            avatarUrl: null,
          },
          reason: 'harassment',
          note: 'Rude\n to me',
          createdAt: expect.any(String),
        },
      ],
      history: [],
    })
    expect((await caseOf(body.cases[0].id, admin)).body).toEqual(one.body)
    expect(await noticesOf(instructor, course)).toEqual([
      {
        title: 'A post was reported',
        message: 'A post in your course “Knots” was reported. Please have a look.',
        href: `/course/${course.slug}/moderation?case=${body.cases[0].id}`,
      },
    ])
    for (const other of [author, reader, admin]) {
      expect(await noticesOf(other, course)).toEqual([])
    }
  })

  test('leads to no profile of who is suspended, as none is shown', async () => {
    const { course, postId } = await community()
    await report(reader, { postId })
    const both = [author.id, reader.id]
    await query('update users set suspended_at = now() where id = any($1)', both)
    const { cases } = (await casesOf(course, instructor)).body
    const { body } = await caseOf(cases[0].id, instructor)
    await query('update users set suspended_at = null where id = any($1)', both)
    const named = { name: 'Abe Author', username: null }
    expect(cases).toMatchObject([{ author: named }])
    expect(body).toMatchObject({
      author: named,
      reports: [{ reporter: { name: 'Rea Reader', username: null } }],
    })
  })

  test('of a comment stands beside one of its post', async () => {
    const { course, postId } = await community()
    const commentId = await makeComment(app.services, postId, { by: author, content: 'And this' })
    await report(reader, { postId })
    await report(reader, { commentId })
    const { body } = await casesOf(course, instructor)
    expect(body.cases).toMatchObject([
      { subject: 'comment', postId, commentId, content: 'And this' },
      { subject: 'post', postId, commentId: null, content: 'Buy this' },
    ])
    expect((await noticesOf(instructor, course)).map(({ title }) => title)).toEqual([
      'A post was reported',
      'A comment was reported',
    ])
  })

  test('joins the case that is open, whoever comes at the same moment', async () => {
    const { course, postId } = await community()
    const others = await Promise.all(Array.from({ length: 3 }, () => someone()))
    for (const one of others) await joinCourse(app.services, one, course)
    const sent = await Promise.all([
      ...others.map((one, index) =>
        report(one, { postId, reason: index < 2 ? 'spam' : 'hate', note: `No. ${index}` }),
      ),
      ...Array.from({ length: 4 }, () => report(reader, { postId, reason: 'other' })),
    ])
    expect(sent.map(({ status }) => status)).toEqual(Array(7).fill(200))
    expect(sent.filter(({ body }) => body.again)).toHaveLength(3)
    const { body } = await casesOf(course, instructor)
    expect(body.cases).toHaveLength(1)
    expect(body.cases[0]).toMatchObject({
      reportsCount: 4,
      reasons: [
        { reason: 'spam', count: 2 },
        { reason: 'hate', count: 1 },
        { reason: 'other', count: 1 },
      ],
    })
    expect((await caseOf(body.cases[0].id, instructor)).body.reports).toHaveLength(4)
    expect(await noticesOf(instructor, course)).toHaveLength(1)
  })

  test('shows moderators what stands below the text of a post, also while it is hidden', async () => {
    const { course } = await community()
    const url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
    const written = await app.request('/rest/v1/posts', {
      body: { courseId: course.id, content: 'Look', attachments: [{ url }] },
      cookie: author.cookie,
    })
    const postId = written.body.id
    const comment = await app.request('/rest/v1/comments', {
      body: { postId, content: 'No' },
      cookie: author.cookie,
    })
    await report(reader, { commentId: comment.body.id })
    await report(reader, { postId })
    const [ofPost, ofComment] = (await casesOf(course, instructor)).body.cases
    expect((await caseOf(ofComment.id, instructor)).body.attachments).toEqual([])
    const attachments = [{ kind: 'link', url }]
    expect((await caseOf(ofPost.id, instructor)).body.attachments).toEqual(attachments)
    const hidden = await app.request(`/rest/v1/moderation-cases/${ofPost.id}/actions`, {
      body: { action: 'hide' },
      cookie: instructor.cookie,
    })
    expect(hidden.body).toMatchObject({ subjectStatus: 'hidden', attachments })
    expect((await caseOf(ofPost.id, instructor)).body.attachments).toEqual(attachments)
  })

  test('shows moderators the answers of a poll, also while it is hidden', async () => {
    const { course } = await community()
    const postId = await makePost(app.services, course, { content: 'Who is right?' })
    await query('insert into polls (post_id) values ($1)', postId)
    await query(
      `insert into poll_options (post_id, text, order_index)
       values ($1, 'Never Ada', 2), ($1, 'Only me', 1)`,
      postId,
    )
    const commentId = await makeComment(app.services, postId, { by: author })
    await report(reader, { commentId })
    await report(reader, { postId })
    const [ofPost, ofComment] = (await casesOf(course, admin)).body.cases
    expect((await caseOf(ofComment.id, admin)).body.pollAnswers).toEqual([])
    const pollAnswers = ['Only me', 'Never Ada']
    expect((await caseOf(ofPost.id, admin)).body.pollAnswers).toEqual(pollAnswers)
    const hidden = await app.request(`/rest/v1/moderation-cases/${ofPost.id}/actions`, {
      body: { action: 'hide' },
      cookie: admin.cookie,
    })
    expect(hidden.body).toMatchObject({ subjectStatus: 'hidden', pollAnswers })
  })

  test('of what the instructor wrote goes to the administrators', async () => {
    const { course } = await community()
    const postId = await makePost(app.services, course, { content: 'I am the boss' })
    const sent = await report(reader, { postId, reason: 'harassment' })
    expect(sent.body).toMatchObject({ lookedAtBy: 'administrators' })
    expect((await casesOf(course, instructor)).body).toMatchObject({ cases: [], openCount: 0 })
    const { body } = await casesOf(course, admin)
    expect(body.cases).toMatchObject([{ aboutInstructor: true, authorIsMember: true }])
    const { id } = body.cases[0]
    const hidden = await caseOf(id, instructor)
    expect([hidden.status, hidden.body.message]).toEqual([404, 'Case not found'])
    const act = await app.request(`/rest/v1/moderation-cases/${id}/actions`, {
      body: { action: 'dismiss' },
      cookie: instructor.cookie,
    })
    expect(act.status).toBe(404)
    expect(await noticesOf(instructor, course)).toEqual([])
    expect((await noticesOf(admin, course)).at(-1)).toEqual({
      title: 'A post was reported',
      message: 'A post by the creator of the course in “Knots” was reported. Please have a look.',
      href: `/course/${course.slug}/moderation?case=${id}`,
    })
  })

  test('again of what was decided and says the same opens nothing', async () => {
    const { course, postId } = await community()
    await report(reader, { postId })
    const [first] = (await casesOf(course, instructor)).body.cases
    await app.request(`/rest/v1/moderation-cases/${first.id}/actions`, {
      body: { action: 'dismiss' },
      cookie: instructor.cookie,
    })
    expect((await report(reader, { postId })).body).toMatchObject({ again: true })
    expect((await casesOf(course, instructor)).body.cases).toEqual([])
    await query(`update posts set content = 'Buy more' where id = $1`, postId)
    expect((await report(reader, { postId })).body).toMatchObject({ again: false })
    const [second] = (await casesOf(course, instructor)).body.cases
    expect(second).toMatchObject({ content: 'Buy more', reportsCount: 1 })
    expect((await casesOf(course, instructor, '?status=closed')).body).toMatchObject({
      cases: [{ id: first.id, currentContent: 'Buy more' }],
      openCount: 1,
    })
  })

  test('of a post whose pictures are others says so, and is heard again after a decision', async () => {
    const { course } = await community()
    const page = (id: string) => ({ url: `https://www.youtube.com/watch?v=${id}` })
    const content = 'Look'
    const written = await app.request('/rest/v1/posts', {
      body: { courseId: course.id, content, attachments: [page('dQw4w9WgXcQ')] },
      cookie: author.cookie,
    })
    const postId = written.body.id
    const show = async (id: string) => {
      const edited = await app.request(`/rest/v1/posts/${postId}`, {
        method: 'PUT',
        body: { content, attachments: [page(id)] },
        cookie: author.cookie,
      })
      expect(edited.status).toBe(200)
    }
    await report(reader, { postId })
    const [first] = (await casesOf(course, instructor)).body.cases
    expect(first.showsElse).toBe(false)
    await show('dQw4w9WgXcQ')
    expect((await caseOf(first.id, instructor)).body.showsElse).toBe(false)
    await show('aaaaaaaaaaa')
    expect((await caseOf(first.id, instructor)).body).toMatchObject({
      showsElse: true,
      currentContent: null,
      attachments: [page('aaaaaaaaaaa')],
    })
    await app.request(`/rest/v1/moderation-cases/${first.id}/actions`, {
      body: { action: 'dismiss' },
      cookie: instructor.cookie,
    })
    expect((await report(reader, { postId })).body).toMatchObject({ again: true })
    await show('bbbbbbbbbbb')
    expect((await report(reader, { postId })).body).toMatchObject({ again: false })
    expect((await casesOf(course, instructor)).body.cases).toMatchObject([
      { content, reportsCount: 1, showsElse: false },
    ])
  })

  test('of a comment whose words were put back after the decision is heard again', async () => {
    const { course, postId } = await community()
    const content = 'And this'
    const commentId = await makeComment(app.services, postId, { by: author, content })
    const edit = async (words: string) => {
      const edited = await app.request(`/rest/v1/comments/${commentId}`, {
        method: 'PUT',
        body: { content: words },
        cookie: author.cookie,
      })
      expect(edited.status).toBe(200)
    }
    await report(reader, { commentId })
    const [first] = (await casesOf(course, instructor)).body.cases
    await edit('Sorry')
    await app.request(`/rest/v1/moderation-cases/${first.id}/actions`, {
      body: { action: 'warn', note: 'Leave it at that.' },
      cookie: instructor.cookie,
    })
    await edit(content)
    expect((await report(reader, { commentId })).body).toMatchObject({ again: false })
    const [second] = (await casesOf(course, instructor)).body.cases
    expect(second).toMatchObject({ subject: 'comment', content, reportsCount: 1 })
    await app.request(`/rest/v1/moderation-cases/${second.id}/actions`, {
      body: { action: 'dismiss' },
      cookie: instructor.cookie,
    })
    expect((await report(reader, { commentId })).body).toMatchObject({ again: true })
  })

  test('of a post that says the same again tells that it was edited, and not one that waited for the edit', async () => {
    const { course, postId } = await community()
    const edit = async (content: string) => {
      const edited = await app.request(`/rest/v1/posts/${postId}`, {
        method: 'PUT',
        body: { content, attachments: [] },
        cookie: author.cookie,
      })
      expect(edited.status).toBe(200)
    }
    await report(reader, { postId })
    const [first] = (await casesOf(course, instructor)).body.cases
    await edit('Buy that')
    await edit('Buy this')
    expect((await caseOf(first.id, instructor)).body).toMatchObject({
      showsElse: true,
      currentContent: null,
      attachments: [],
    })
    await app.request(`/rest/v1/moderation-cases/${first.id}/actions`, {
      body: { action: 'dismiss' },
      cookie: instructor.cookie,
    })

    const editing = await app.services.pool.connect()
    await editing.query('begin')
    await editing.query('select 1 from posts where id = $1 for update', [postId])
    const waiting = report(reader, { postId })
    await waitingFor(app.services, 1)
    await editing.query(
      `update posts set content = 'Buy more', updated_at = clock_timestamp() where id = $1`,
      [postId],
    )
    await editing.query('commit')
    editing.release()
    expect((await waiting).body).toMatchObject({ again: false })
    expect((await casesOf(course, instructor)).body.cases).toMatchObject([
      { content: 'Buy more', showsElse: false },
    ])
  })

  test('is refused in words', async () => {
    const { course, postId } = await community()
    const hidden = await makePost(app.services, course, { by: author })
    await query(`update posts set status = 'hidden' where id = $1`, hidden)
    const below = await makeComment(app.services, hidden, { by: author })
    const gone = await makeComment(app.services, postId, { by: author })
    await query(`update comments set status = 'deleted', content = '' where id = $1`, gone)
    const notMember = 'Only members of this course can report something.'
    for (const [by, body, status, message] of [
      [null, { postId }, 401, 'User must be authenticated'],
      [stranger, { postId }, 403, 'Join this course to see this.'],
      [admin, { postId }, 403, notMember],
      [author, { postId }, 403, 'You cannot report what you wrote yourself.'],
      [reader, { postId: hidden }, 404, 'This is not there any more.'],
      [reader, { commentId: below }, 404, 'This is not there any more.'],
      [reader, { commentId: gone }, 404, 'This is not there any more.'],
      [reader, { postId: crypto.randomUUID() }, 404, 'Post not found'],
      [reader, { commentId: postId }, 404, 'Comment not found'],
      [reader, {}, 404, 'Course not found'],
      [reader, { postId, commentId: gone }, 422, 'A report is about a post or about a comment'],
      [reader, { postId, reason: 'boring' }, 422, 'Please choose a reason'],
      [
        reader,
        { postId, note: 'x'.repeat(2001) },
        422,
        'The note can have at most 2,000 characters',
      ],
    ] as const) {
      const refused = await report(by, body)
      expect([refused.status, refused.body.message]).toEqual([status, message])
    }
    expect((await casesOf(course, instructor)).body.cases).toEqual([])
    await app.services.rateLimits.reportsByAccount.forget(reader.id)
    for (let i = 0; i < 30; i++) await app.services.rateLimits.reportsByAccount.count(reader.id)
    const tooMany = await report(reader, { postId })
    expect([tooMany.status, tooMany.body.message]).toEqual([
      429,
      'You have reported a lot. Please wait an hour.',
    ])
    expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect((await report(instructor, { postId })).body).toMatchObject({ again: false })
    expect(await noticesOf(instructor, course)).toEqual([])
  })
})

describe('the queue', () => {
  test('is paged, newest first, in one statement beyond the guard', async () => {
    const { course, postId } = await community()
    const other = await community(stranger)
    await makeCase(app.services, other.course, { postId: other.postId, by: reader })
    // All at one moment: their ids decide.
    const rows = await query(
      `insert into moderation_cases (course_id, subject, post_id, author_id, content)
       select $1, 'comment', $2, $3, 'Case ' || n from generate_series(1, 23) n returning id`,
      course.id,
      postId,
      author.id,
    )
    const made = rows.map(({ id }: { id: string }) => id).toReversed()
    let first!: Answer
    await casesOf(course, instructor)
    const sent = await statements.during(async () => {
      first = await casesOf(course, instructor)
    })
    // Who asks with what they may, and the page.
    expect(sent).toHaveLength(2)
    const cursor = encodeURIComponent(first.body.nextCursor)
    const second = await casesOf(course, instructor, `?cursor=${cursor}`)
    const ids = [...first.body.cases, ...second.body.cases].map(({ id }: { id: string }) => id)
    expect(first.body.cases).toHaveLength(20)
    expect([first.body.openCount, second.body.openCount, second.body.nextCursor]).toEqual([
      23,
      23,
      null,
    ])
    expect(ids).toEqual(made)
    const everywhere = await app.request('/rest/v1/moderation-cases', { cookie: admin.cookie })
    expect(everywhere.status).toBe(200)
    const titles = everywhere.body.cases.map(
      (one: { course: { title: string } }) => one.course.title,
    )
    expect(titles).toContain('Knots')
    expect(everywhere.body.openCount).toBeGreaterThanOrEqual(24)
    expect(await statements.during(() => caseOf(made[0]!, instructor))).toHaveLength(2)
    expect((await casesOf(course, instructor, '?status=closed')).body).toEqual({
      cases: [],
      openCount: 23,
      nextCursor: null,
    })
  })

  test('and its cases are for those who moderate', async () => {
    const { course, postId } = await community()
    const id = await makeCase(app.services, course, { postId, by: reader })
    for (const by of [author, reader, stranger]) {
      expect((await casesOf(course, by)).status).toBe(403)
      expect((await caseOf(id, by)).status).toBe(403)
      const all = await app.request('/rest/v1/moderation-cases', { cookie: by.cookie })
      expect(all.status).toBe(403)
    }
    for (const cursor of ['x', '1.x', `${'9'.repeat(17)}.${id}`, '']) {
      const { status, body } = await casesOf(course, instructor, `?cursor=${cursor}`)
      expect([status, body.message]).toEqual([400, 'This is not a place in the list'])
    }
  })

  test('shows what became of what was reported', async () => {
    const { course, postId } = await community()
    const commentId = await makeComment(app.services, postId, { by: author, content: 'Mine' })
    await report(reader, { postId })
    await report(reader, { commentId })
    const seen = async () =>
      (await casesOf(course, instructor)).body.cases.map(
        (one: Record<string, unknown>) =>
          `${one.subject} ${one.subjectStatus} ${one.currentContent} ${one.postId !== null} ${one.commentId !== null}`,
      )
    await query(`update posts set content = 'Changed' where id = $1`, postId)
    expect(await seen()).toEqual([
      'comment published null true true',
      'post published Changed true false',
    ])
    await query(`update posts set status = 'hidden' where id = $1`, postId)
    expect(await seen()).toEqual([
      'comment hidden null true true',
      'post hidden Changed true false',
    ])
    await query(`update comments set status = 'deleted', content = '' where id = $1`, commentId)
    expect((await seen())[0]).toBe('comment deleted null false false')
    await query('delete from posts where id = $1', postId)
    expect(await seen()).toEqual([
      'comment deleted null false false',
      'post deleted null false false',
    ])
  })
})
