// Comments and replies: written, changed, deleted, liked, counted, read in pages, and told of.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { setCommentHidden } from './hide-comment.ts'
import { leaveCommunity } from './leave-community.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, name ? { name } : {})
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

async function joined(course: { id: string; instructorId: string }, name?: string) {
  const person = await someone(name)
  await joinCourse(app.services, person, course)
  return person
}

/** A course with a post of its instructor and two members. */
async function discussion() {
  const instructor = await someone('Ida Instructor')
  const course = await makeCourse(app.services, instructor, { title: 'Knots' })
  const [ann, bob] = [await joined(course, 'Ann'), await joined(course, 'Bob')]
  const postId = await makePost(app.services, course, { content: 'Which knot first?' })
  return { instructor, course, ann, bob, postId }
}

const write = (by: Someone, postId: string, content: unknown, parentId?: string | null) =>
  app.request('/rest/v1/comments', { body: { postId, content, parentId }, cookie: by.cookie })

const written = async (by: Someone, postId: string, content: string, parentId?: string) => {
  const { status, body } = await write(by, postId, content, parentId)
  expect([status, body.message]).toEqual([200, undefined])
  return body as { id: string }
}

const edit = (by: Someone, id: string, content: unknown) =>
  app.request(`/rest/v1/comments/${id}`, { method: 'PUT', body: { content }, cookie: by.cookie })

const remove = (by: Someone, id: string) =>
  app.request(`/rest/v1/comments/${id}`, { method: 'DELETE', cookie: by.cookie })

const like = (by: Someone, id: string, liked: unknown = true) =>
  app.request(`/rest/v1/comments/${id}/like`, {
    method: 'PUT',
    body: { liked },
    cookie: by.cookie,
  })

const read = async (by: Someone, postId: string, search = '') =>
  (await app.request(`/rest/v1/posts/${postId}/comments${search}`, { cookie: by.cookie })).body

const moreReplies = async (by: Someone, id: string, cursor: string) =>
  (await app.request(`/rest/v1/comments/${id}/replies?cursor=${cursor}`, { cookie: by.cookie }))
    .body

const noticesOf = (person: { id: string }) =>
  query(
    'select kind, title, message, href from notifications where user_id = $1 order by id',
    person.id,
  )

/** What the columns say, beside what the rows say. */
async function countsOf(postId: string) {
  const [post] = await query(
    `select comments_count as "told", (select count(*)::int from comments
              where post_id = p.id and status = 'published') as "counted"
       from posts p where id = $1`,
    postId,
  )
  const wrong = await query(
    `select id from comments t
      where post_id = $1
        and (replies_count <> (select count(*) from comments r
                                where r.thread_id = t.id and r.status = 'published')
             or likes_count <> (select count(*) from comment_likes l where l.comment_id = t.id))`,
    postId,
  )
  return { ...post, wrong: wrong.length }
}

const textsIn = (page: { threads: { content: string; replies: { content: string }[] }[] }) =>
  page.threads.map(({ content, replies }) => [content, replies.map((reply) => reply.content)])

describe('writing', () => {
  test('comments and replies are read in their order, once each, with author and count', async () => {
    const { course, instructor, ann, bob, postId } = await discussion()
    const first = await written(ann, postId, '  The bowline.\r\n<b>Of course</b>  ')
    const second = await written(instructor, postId, 'The reef knot.')
    const reply = await written(bob, postId, 'Why?', first.id)
    const nested = await written(ann, postId, 'It holds.', reply.id)
    const page = await read(bob, postId)
    expect(textsIn(page)).toEqual([
      ['The bowline.\n<b>Of course</b>', ['Why?', 'It holds.']],
      ['The reef knot.', []],
    ])
    expect(page).toMatchObject({ commentsCount: 4, nextCursor: null, linked: null })
    const [thread, other] = page.threads
    expect(thread).toMatchObject({
      id: first.id,
      parentId: null,
      threadId: null,
      author: { name: 'Ann', username: ann.username, isInstructor: false },
      isOwn: false,
      liked: false,
      repliesCount: 2,
      nextReplies: null,
    })
    expect(thread.createdAt).toBe(thread.updatedAt)
    expect(thread.replies[1]).toMatchObject({
      id: nested.id,
      parentId: reply.id,
      threadId: first.id,
    })
    expect(other).toMatchObject({ id: second.id, author: { isInstructor: true } })
    expect(JSON.stringify(page)).not.toContain('@example.com')
    expect(await countsOf(postId)).toEqual({ told: 4, counted: 4, wrong: 0 })
    // The author of what is answered hears of it, and the author of the post once, until it is read.
    expect(await noticesOf(ann)).toEqual([
      {
        kind: 'comment_replied',
        title: 'New Reply',
        message: 'Somebody replied to your comment in the discussion of “Knots”.',
        href: `/course/${course.slug}/dashboard?tab=discussion&post=${postId}&comment=${reply.id}`,
      },
    ])
    expect(await noticesOf(bob)).toMatchObject([{ kind: 'comment_replied' }])
    const comments = (await noticesOf(instructor)).filter(({ kind }) => kind === 'comment_written')
    expect(comments).toMatchObject([
      {
        title: 'New Comment',
        message: 'Somebody commented on your post in the discussion of “Knots”.',
        href: expect.stringContaining(`comment=${first.id}`),
      },
    ])
    await query('update notifications set read = true where user_id = $1', instructor.id)
    await written(bob, postId, 'And the figure eight.')
    expect(
      (await noticesOf(instructor)).filter(({ kind }) => kind === 'comment_written'),
    ).toHaveLength(2)
  })

  test('everybody is told for one reason, and nobody who has left', async () => {
    const { course, ann, bob, instructor, postId } = await discussion()
    const first = await written(ann, postId, 'The bowline.')
    await query('delete from notifications')
    await written(bob, postId, `@${ann.username} @${instructor.username} see this`, first.id)
    expect((await noticesOf(ann)).map(({ kind }) => kind)).toEqual(['comment_replied'])
    expect((await noticesOf(instructor)).map(({ kind }) => kind)).toEqual(['mentioned'])
    await query('delete from notifications')
    await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', cookie: ann.cookie })
    await query('delete from notifications')
    await written(bob, postId, 'Are you there?', first.id)
    expect(await noticesOf(ann)).toEqual([])
  })

  test('blank, too long and no text are refused in words, written and edited', async () => {
    const { ann, postId } = await discussion()
    const { id } = await written(ann, postId, 'x'.repeat(5_000))
    for (const [content, message] of [
      [' \n\t ', 'Please write a comment'],
      ['', 'Please write a comment'],
      [undefined, 'Comment must be text'],
      [7, 'Comment must be text'],
      ['x'.repeat(5_001), 'Comment can have at most 5,000 characters'],
    ]) {
      // oxlint-disable-next-line no-await-in-loop
      for (const { status, body } of [
        await write(ann, postId, content),
        await edit(ann, id, content),
      ]) {
        expect([status, body.message]).toEqual([422, message])
      }
    }
  })

  test('what cannot be answered says why', async () => {
    const { course, ann, bob, instructor, postId } = await discussion()
    const otherPost = await makePost(app.services, course, { content: 'Another one' })
    const elsewhere = await discussion()
    const far = await written(elsewhere.ann, elsewhere.postId, 'Elsewhere')
    const first = await written(ann, postId, 'First')
    await written(bob, postId, 'So that its place is kept', first.id)
    await remove(ann, first.id)
    const hidden = await written(ann, postId, 'Hidden')
    await app.services.db.transaction((transaction) =>
      setCommentHidden(transaction, { commentId: hidden.id, courseId: course.id, hidden: true }),
    )
    const second = await written(ann, postId, 'Second')
    const gone = 'The comment that you answer was deleted.'
    for (const [to, parentId, status, message] of [
      [otherPost, second.id, 400, 'The comment that you answer belongs to another post.'],
      [postId, first.id, 409, gone],
      [postId, hidden.id, 409, gone],
      [postId, far.id, 409, gone],
      [postId, crypto.randomUUID(), 409, gone],
      [elsewhere.postId, null, 403, 'Join this course to see this.'],
      [crypto.randomUUID(), null, 404, 'Post not found'],
      [postId, 'x', 422, 'The comment is not a valid id'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const answered = await write(bob, to, 'An answer', parentId)
      expect([answered.status, answered.body.message]).toEqual([status, message])
    }
    await query(`update posts set status = 'hidden' where id = $1`, postId)
    for (const by of [bob, instructor]) {
      // oxlint-disable-next-line no-await-in-loop
      const answered = await write(by, postId, 'To a hidden post')
      expect([answered.status, answered.body.message]).toEqual([404, 'Post not found'])
    }
    expect((await read(bob, postId)).message).toBe('Post not found')
    expect((await like(bob, second.id)).status).toBe(404)
    expect((await edit(ann, second.id, 'Other')).status).toBe(404)
  })

  test('administrators read and delete, but take no part; who has left does nothing', async () => {
    const { course, ann, bob, postId } = await discussion()
    const { id } = await written(ann, postId, 'Mine')
    const admin = await someone()
    await query(`update users set role = 'admin' where id = $1`, admin.id)
    const onlyMembers = 'Only members of this course can take part in its discussion.'
    for (const refused of [
      await write(admin, postId, 'Mine'),
      await like(admin, id),
      await edit(admin, id, 'Mine'),
    ]) {
      expect([refused.status, refused.body.message]).toEqual([403, onlyMembers])
    }
    expect((await read(admin, postId)).threads).toHaveLength(1)
    await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', cookie: bob.cookie })
    for (const refused of [
      await write(bob, postId, 'Still here?'),
      await like(bob, id),
      await edit(bob, id, 'Still here?'),
      await remove(bob, id),
    ]) {
      expect(refused.status).toBe(403)
    }
    expect((await remove(admin, id)).status).toBe(200)
    expect((await read(ann, postId)).threads).toEqual([])
  })

  test("a community's rules hold for comments, too", async () => {
    const { course, instructor, ann, postId } = await discussion()
    const { id } = await written(ann, postId, 'Fine')
    await app.request(`/rest/v1/courses/${course.id}/community-settings`, {
      method: 'PUT',
      body: { blockedWords: ['granny'], firstPosts: 0, firstPostsLinks: 0 },
      cookie: instructor.cookie,
    })
    for (const refused of [
      await write(ann, postId, 'A granny knot'),
      await edit(ann, id, 'Granny!'),
    ]) {
      expect(refused.status).toBe(422)
      expect(refused.body.message).toContain('“granny”')
    }
    expect((await write(instructor, postId, 'No granny knots')).status).toBe(200)
  })

  test('61 comments in ten minutes are too many', async () => {
    const { ann, postId } = await discussion()
    await query(
      `insert into rate_limits (key, points, expire)
       values ('comment-account:' || $1::text, 59, (extract(epoch from now()) * 1000)::bigint + 600000)`,
      ann.id,
    )
    await written(ann, postId, 'The sixtieth')
    const refused = await write(ann, postId, 'One more')
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'You are posting very fast. Please wait 10 minutes.',
    ])
  })
})

describe('editing and deleting', () => {
  test('only its author edits, and it says so', async () => {
    const { ann, bob, instructor, postId } = await discussion()
    const { id } = await written(ann, postId, 'The bowline')
    const same = await edit(ann, id, 'The bowline ')
    expect(same.body.updatedAt).toBe(same.body.createdAt)
    const edited = await edit(ann, id, `The reef knot, @${bob.username}`)
    expect(edited.body).toMatchObject({ id, mentions: [{ handle: bob.username, name: 'Bob' }] })
    expect(edited.body.updatedAt > edited.body.createdAt).toBe(true)
    expect((await noticesOf(bob)).map(({ kind }) => kind)).toEqual(['mentioned'])
    for (const by of [bob, instructor]) {
      // oxlint-disable-next-line no-await-in-loop
      const refused = await edit(by, id, 'Mine now')
      expect([refused.status, refused.body.message]).toEqual([
        403,
        'Only the author of a comment can edit it.',
      ])
    }
  })

  test('one with replies leaves its place, which goes with the last of them', async () => {
    const { ann, bob, postId, instructor } = await discussion()
    const first = await written(ann, postId, 'First')
    const reply = await written(bob, postId, 'Reply', first.id)
    const nested = await written(ann, postId, 'Nested', reply.id)
    await like(bob, first.id)
    const refused = await remove(bob, first.id)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only the author and the instructor can delete a comment.',
    ])
    expect((await remove(ann, first.id)).body).toEqual({ removed: true })
    // Twice is harmless.
    expect((await remove(ann, first.id)).status).toBe(200)
    expect((await remove(bob, reply.id)).status).toBe(200)
    const [thread] = (await read(bob, postId)).threads
    expect(thread).toMatchObject({
      status: 'deleted',
      author: null,
      content: '',
      likesCount: 0,
      liked: false,
      isOwn: false,
      repliesCount: 1,
    })
    expect(thread.replies).toMatchObject([
      { status: 'deleted', author: null, content: '' },
      { content: 'Nested', parentId: reply.id },
    ])
    expect(await countsOf(postId)).toEqual({ told: 1, counted: 1, wrong: 0 })
    expect((await edit(ann, first.id, 'Back')).status).toBe(404)
    expect((await like(bob, first.id)).status).toBe(404)
    // By the instructor; with it go the places above it.
    expect((await remove(instructor, nested.id)).status).toBe(200)
    expect(await read(bob, postId)).toMatchObject({ threads: [], commentsCount: 0 })
    expect(await query('select id from comments where post_id = $1', postId)).toEqual([])
  })

  test('a hidden one is seen by nobody, and comes back', async () => {
    const { course, ann, bob, instructor, postId } = await discussion()
    const first = await written(ann, postId, 'First')
    const reply = await written(bob, postId, 'Reply', first.id)
    const hide = (commentId: string, hidden: boolean) =>
      app.services.db.transaction((transaction) =>
        setCommentHidden(transaction, { commentId, courseId: course.id, hidden }),
      )
    expect(await hide(first.id, true)).toBe(true)
    expect(await hide(first.id, true)).toBe(false)
    for (const by of [ann, bob, instructor]) {
      // oxlint-disable-next-line no-await-in-loop
      expect((await read(by, postId)).threads).toMatchObject([
        { status: 'hidden', author: null, content: '', replies: [{ content: 'Reply' }] },
      ])
    }
    expect(await hide(reply.id, true)).toBe(true)
    expect(await read(ann, postId)).toMatchObject({ threads: [], commentsCount: 0 })
    expect((await remove(ann, first.id)).status).toBe(404)
    expect(await hide(reply.id, false)).toBe(true)
    expect(await hide(first.id, false)).toBe(true)
    expect(textsIn(await read(ann, postId))).toEqual([['First', ['Reply']]])
    expect(await countsOf(postId)).toEqual({ told: 2, counted: 2, wrong: 0 })
    const other = await discussion()
    const elsewhere = { commentId: first.id, courseId: other.course.id, hidden: true }
    expect(
      await app.services.db.transaction((transaction) => setCommentHidden(transaction, elsewhere)),
    ).toBe(false)
  })

  test('what goes with an account leaves places where others replied, and the right counts', async () => {
    const { ann, bob, postId } = await discussion()
    const first = await written(ann, postId, 'First')
    const reply = await written(bob, postId, 'Reply', first.id)
    await written(ann, postId, 'Under it', reply.id)
    const alone = await written(ann, postId, 'Alone')
    await written(ann, postId, 'To myself', alone.id)
    await like(ann, reply.id)
    await like(bob, first.id)
    await app.services.db.transaction((transaction) => leaveCommunity(transaction, ann.id))
    const page = await read(bob, postId)
    expect(textsIn(page)).toEqual([['', ['Reply']]])
    expect(page.threads[0].replies[0]).toMatchObject({ likesCount: 0 })
    expect(await countsOf(postId)).toEqual({ told: 1, counted: 1, wrong: 0 })
    expect(await query('select id from comments where post_id = $1', postId)).toHaveLength(2)
  })

  test('30 at once: the counts are those of the rows, and no reply stands alone', async () => {
    const { course, ann, bob, instructor, postId } = await discussion()
    const people = [ann, bob, instructor]
    const first = await written(ann, postId, 'First')
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        written(people[index % 3]!, postId, `Reply ${index}`, first.id),
      ),
    )
    const statuses = await Promise.all([
      remove(ann, first.id),
      ...replies.slice(0, 5).map(({ id }) => remove(instructor, id)),
      ...replies
        .slice(0, 10)
        .map(({ id }, index) => write(people[index % 3]!, postId, 'To it', id)),
      ...Array.from({ length: 6 }, () => write(bob, postId, 'Another', first.id)),
      ...replies.slice(2, 8).flatMap(({ id }) => [like(ann, id), like(ann, id), like(bob, id)]),
      app.services.db.transaction((transaction) =>
        setCommentHidden(transaction, {
          commentId: replies[9]!.id,
          courseId: course.id,
          hidden: true,
        }),
      ),
    ])
    const unexpected = statuses.filter(
      (answer) => typeof answer !== 'boolean' && ![200, 404, 409].includes(answer.status),
    )
    expect(unexpected).toEqual([])
    const { told, counted, wrong } = await countsOf(postId)
    expect([counted, wrong]).toEqual([told, 0])
    const orphans = await query(
      `select c.id from comments c left join comments p on p.id = c.parent_id
        where c.post_id = $1 and c.parent_id is not null and p.id is null`,
      postId,
    )
    expect(orphans).toEqual([])
    const left = await query(
      `select id from comments c where post_id = $1 and status = 'deleted'
          and not exists (select 1 from comments r where r.parent_id = c.id)`,
      postId,
    )
    expect(left).toEqual([])
  })
})

describe('likes', () => {
  test('one per person, however often it is said', async () => {
    const { ann, bob, postId } = await discussion()
    const { id } = await written(ann, postId, 'The bowline')
    const many = await Promise.all(Array.from({ length: 10 }, () => like(bob, id)))
    expect(many.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await like(ann, id)).body).toEqual({ liked: true, likesCount: 2 })
    expect((await like(bob, id, false)).body).toEqual({ liked: false, likesCount: 1 })
    expect((await like(bob, id, false)).body).toEqual({ liked: false, likesCount: 1 })
    expect((await read(ann, postId)).threads).toMatchObject([{ liked: true, likesCount: 1 }])
    expect((await read(bob, postId)).threads).toMatchObject([{ liked: false, likesCount: 1 }])
    expect((await like(bob, id, 'yes')).body.message).toBe('Say whether you like it')
  })
})

describe('reading', () => {
  test('1,000 comments come in pages of bounded cost, from wherever', async () => {
    const { ann, bob, postId, course } = await discussion()
    await query(
      `with threads as (
         insert into comments (post_id, course_id, user_id, content, created_at, updated_at, replies_count)
         select $1, $2, $3, 'Thread ' || n, t, t, case when n = 400 then 500 else 0 end
           from generate_series(1, 500) n, lateral (select now() - (1001 - n) * interval '1 minute' t)
         returning id, content)
       insert into comments (post_id, course_id, user_id, content, parent_id, thread_id, created_at, updated_at)
       select $1, $2, $3, 'Reply ' || n, threads.id, threads.id, t, t
         from threads, generate_series(1, 500) n, lateral (select now() - (501 - n) * interval '1 second' t)
        where threads.content = 'Thread 400'`,
      postId,
      course.id,
      ann.id,
    )
    await query('update posts set comments_count = 1000 where id = $1', postId)
    await query('analyze comments')
    const seen: string[] = []
    let cursor = ''
    let pages = 0
    do {
      // oxlint-disable-next-line no-await-in-loop
      const page = await read(bob, postId, cursor && `?cursor=${cursor}`)
      seen.push(...page.threads.map(({ content }: { content: string }) => content))
      cursor = page.nextCursor ?? ''
      pages += 1
      expect(page.commentsCount).toBe(1000)
    } while (cursor && pages < 30)
    expect(pages).toBe(25)
    expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => `Thread ${index + 1}`))

    const [deep] = await query(
      `select id, thread_id as "threadId" from comments where post_id = $1 and content = 'Reply 300'`,
      postId,
    )
    const watching = watchStatements(app)
    let linked: { id: string; nextReplies: string; replies: unknown[] } | undefined
    const statements = await watching.during(async () => {
      const page = await read(bob, postId, `?with=${deep.id}`)
      expect(page.threads).toHaveLength(20)
      linked = page.linked
    })
    // Who it is with what they may, and the comments.
    expect(statements).toHaveLength(2)
    expect(linked).toMatchObject({
      id: deep.threadId,
      repliesCount: 500,
      replies: [{ content: 'Reply 1' }, { content: 'Reply 2' }, { content: 'Reply 3' }],
      linkedReply: { id: deep.id, content: 'Reply 300' },
    })
    const next = await moreReplies(bob, deep.threadId, linked!.nextReplies)
    expect(next.replies).toHaveLength(20)
    expect(next.replies[0].content).toBe('Reply 4')
    expect((await moreReplies(bob, deep.threadId, next.nextCursor)).replies[0].content).toBe(
      'Reply 24',
    )
    const only = await read(bob, postId, `?only=${deep.id}`)
    expect(only).toMatchObject({
      threads: [],
      nextCursor: null,
      linked: { linkedReply: { id: deep.id } },
    })
    // Nothing of another post, and no place that is none.
    const other = await makePost(app.services, course)
    expect(await read(bob, other, `?with=${deep.id}`)).toMatchObject({ threads: [], linked: null })
    expect((await read(bob, postId, '?cursor=5_x')).message).toBe('This is not a place in the list')
  })

  test('whoever follows the course hears of it', async () => {
    const { course, ann, bob, postId } = await discussion()
    const live = await query('select coalesce(max(id), 0)::int as id from live_events')
    const { id } = await written(ann, postId, 'Hear, hear')
    await edit(ann, id, 'Hear')
    await like(bob, id)
    await like(bob, id)
    await remove(ann, id)
    const events = await query(
      'select event from live_events where id > $1 and topic = $2 order by id',
      live[0].id,
      `course:${course.id}`,
    )
    const about = { courseId: course.id, postId, commentId: id }
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'comment', change: 'created', commentsCount: 1, ...about },
      { type: 'comment', change: 'changed', commentsCount: 1, ...about },
      { type: 'likes', likesCount: 1, ...about },
      { type: 'comment', change: 'removed', commentsCount: 0, ...about },
    ])
  })
})
