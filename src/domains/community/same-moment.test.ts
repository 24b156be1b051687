// A post goes or is hidden at the very moment in which somebody else does something to it or below it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
import {
  joinCourse,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { setPostHidden } from './hide-post.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

async function scene() {
  const [instructor, author, member] = [await someone(), await someone(), await someone()]
  const course = await makeCourse(app.services, instructor)
  await joinCourse(app.services, member, course)
  const postId = await makePost(app.services, course, { by: author, content: 'As it was' })
  const commentId = await makeComment(app.services, postId, { by: member, content: 'First' })
  const { rows } = await app.services.pool.query<{ id: string }>(
    `insert into media_files (owner_id, course_id, purpose, status, filename, content_type, size_bytes)
     values ($1, $2, 'post_image', 'ready', 'a.png', 'image/png', 10) returning id`,
    [author.id, course.id],
  )
  const mediaId = rows[0]!.id
  return { course, author, member, postId, commentId, mediaId }
}
type Scene = Awaited<ReturnType<typeof scene>>

const send = async (cookie: string, method: string, path: string, body?: unknown) =>
  (await app.request(`/rest/v1${path}`, { method, cookie, body })).status

const moves = {
  remove: ({ author, postId }: Scene) => send(author.cookie, 'DELETE', `/posts/${postId}`),
  hide: ({ course, postId }: Scene) =>
    app.services.db.transaction((transaction) =>
      setPostHidden(transaction, { postId, courseId: course.id, hidden: true }),
    ),
  edit: ({ author, postId, mediaId }: Scene) =>
    send(author.cookie, 'PUT', `/posts/${postId}`, {
      content: 'As it is',
      attachments: [{ mediaId }],
    }),
  comment: ({ member, postId }: Scene) =>
    send(member.cookie, 'POST', '/comments', { postId, content: 'Second', parentId: null }),
  reply: ({ author, postId, commentId }: Scene) =>
    send(author.cookie, 'POST', '/comments', { postId, content: 'Second', parentId: commentId }),
  editComment: ({ member, commentId }: Scene) =>
    send(member.cookie, 'PUT', `/comments/${commentId}`, { content: 'First, better' }),
  like: ({ member, postId }: Scene) =>
    send(member.cookie, 'PUT', `/posts/${postId}/like`, { liked: true }),
}
type Move = keyof typeof moves

/** Both reach the post while somebody else holds it, in this order. */
async function inLine(at: Scene, first: Move, second: Move) {
  const holder = await app.services.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from posts where id = $1 for update', [at.postId])
    const before = moves[first](at)
    await waitingFor(app.services, 1)
    const after = moves[second](at)
    await waitingFor(app.services, 2)
    await holder.query('commit')
    return await Promise.all([before, after])
  } finally {
    // Closed, so that nobody waits for it where something above has failed.
    holder.release(true)
  }
}

/** What is in the database afterwards. */
async function leftOf({ postId, mediaId }: Scene) {
  const { rows } = await app.services.pool.query<{
    post: { content: string; status: string; counts: number[] } | null
    comments: string[]
    likes: number
    file: 'shown' | 'unused' | 'gone'
    told: number
  }>(
    `select (select json_build_object('content', content, 'status', status,
                                      'counts', array[comments_count, likes_count])
               from posts where id = $1) as post,
            array(select content from comments where post_id = $1 order by created_at) as comments,
            (select count(*)::int from post_likes where post_id = $1) as likes,
            case when exists (select 1 from post_attachments where media_id = $2) then 'shown'
                 when exists (select 1 from media_files where id = $2) then 'unused'
                 else 'gone' end as file,
            (select count(*)::int from notifications
              where href like '%' || $1 || '%') as told`,
    [postId, mediaId],
  )
  return rows[0]
}

const gone = { post: null, comments: [], likes: 0 }
const hidden = { status: 'hidden', content: 'As it was' }

test.each<[Move, Move, unknown[], object]>([
  ['remove', 'edit', [200, 404], { ...gone, file: 'unused' }],
  ['edit', 'remove', [200, 200], { ...gone, file: 'gone' }],
  ['remove', 'comment', [200, 404], { ...gone, told: 0 }],
  ['remove', 'reply', [200, 404], { ...gone, told: 0 }],
  ['remove', 'editComment', [200, 404], gone],
  ['remove', 'like', [200, 404], gone],
  ['like', 'remove', [200, 200], gone],
  ['remove', 'remove', [200, 200], gone],
  [
    'hide',
    'comment',
    [true, 404],
    { post: { ...hidden, counts: [1, 0] }, comments: ['First'], told: 0 },
  ],
  [
    'hide',
    'editComment',
    [true, 404],
    { post: { ...hidden, counts: [1, 0] }, comments: ['First'], told: 0 },
  ],
  [
    'hide',
    'edit',
    [true, 404],
    { post: { ...hidden, counts: [1, 0] }, comments: ['First'], file: 'unused' },
  ],
  ['hide', 'like', [true, 404], { post: { ...hidden, counts: [1, 0] }, likes: 0 }],
  ['like', 'hide', [200, true], { post: { ...hidden, counts: [1, 1] }, likes: 1 }],
])('%s, and at the same moment %s', async (first, second, answers, left) => {
  const at = await scene()
  expect(await inLine(at, first, second)).toEqual(answers)
  expect(await leftOf(at)).toMatchObject(left)
})

// Whoever wrote it may be answered before the other one is done, or after.
test.each<[Move, object]>([
  ['remove', { ...gone, file: 'unused' }],
  [
    'hide',
    { post: { ...hidden, counts: [2, 0] }, comments: ['First', 'Second'], file: 'unused', told: 1 },
  ],
])('a comment, and at the same moment %s', async (second, left) => {
  const at = await scene()
  const [status] = await inLine(at, 'comment', second)
  expect([200, 404]).toContain(status)
  expect(await leftOf(at)).toMatchObject(left)
})
