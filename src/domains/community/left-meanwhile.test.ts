// Somebody leaves, a course changes hands, or a comment goes, between the moment in which a call was let in and its own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PoolClient } from 'pg'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange, waitingFor } from '../../../test/behind-change.ts'
import {
  joinCourse,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { somebodyWaits } from '../../../test/waiting.ts'
import { publishScheduledPost } from './publish-scheduled.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async <Row = { id: string }>(text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows as Row[]

/** A course with Pro; a poll in it, a post that waits, and what a member has written. */
async function scene() {
  const [instructor, member, other] = [await someone(), await someone(), await someone()]
  const course = await makeCourse(app.services, instructor)
  for (const person of [member, other]) await joinCourse(app.services, person, course)
  await query('insert into plan_grants (user_id) values ($1)', instructor.id)
  const postId = await makePost(app.services, course, { by: member, content: 'As it was' })
  const commentId = await makeComment(app.services, postId, { by: member, content: 'As it was' })
  await query('insert into polls (post_id) values ($1)', postId)
  const [option] = await query(
    `insert into poll_options (post_id, text, order_index) values ($1, 'a', 1) returning id`,
    postId,
  )
  const [waiting] = await query(
    `insert into posts (course_id, user_id, content, status, scheduled_for)
     values ($1, $2, 'Later', 'scheduled', now()) returning id`,
    course.id,
    instructor.id,
  )
  const about = { postId, commentId, optionId: option!.id, waitingId: waiting!.id }
  return { instructor, member, other, course, ...about }
}
type Scene = Awaited<ReturnType<typeof scene>>

const send = (by: Someone, method: string, path: string, body?: object) =>
  app.request(`/rest/v1${path}`, { method, cookie: by.cookie, body })

/** The call waits for what `hold` takes; it goes on when `change` is there. */
async function meanwhile<Answer>(
  hold: (holder: PoolClient) => Promise<unknown>,
  call: () => Promise<Answer>,
  change: (holder: PoolClient) => Promise<unknown>,
): Promise<Answer> {
  const holder = await app.services.pool.connect()
  try {
    await holder.query('begin')
    await hold(holder)
    const answer = call()
    await somebodyWaits(app)
    await change(holder)
    await holder.query('commit')
    return await answer
  } finally {
    // Closed, so that nobody waits for it where something above has failed.
    holder.release(true)
  }
}

const holdingCourse =
  ({ course }: Scene) =>
  (holder: PoolClient) =>
    holder.query('select 1 from courses where id = $1 for update', [course.id])
const holdingPost =
  ({ postId }: Scene) =>
  (holder: PoolClient) =>
    holder.query('select 1 from posts where id = $1 for update', [postId])

/** As whoever deletes the account of the instructor, whose courses another one takes over. */
const holdingInstructor =
  ({ instructor }: Scene) =>
  (holder: PoolClient) =>
    holder.query('select 1 from users where id = $1 for update', [instructor.id])
const givingCourse =
  ({ course, instructor, other }: Scene) =>
  (holder: PoolClient) =>
    holder.query(
      `with left_by as (delete from enrollments where course_id = $1 and user_id = $2)
       update courses set instructor_id = $3 where id = $1`,
      [course.id, instructor.id, other.id],
    )

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()

const said = ({ status, body }: { status: number; body: { message?: string } }) => [
  status,
  body.message,
]

const leftOf = ({ course }: Scene) =>
  query(
    `select content, status, comments_count as comments,
            array(select content from comments where post_id = p.id) as said,
            (select count(*)::int from poll_votes where post_id = p.id) as votes
       from posts p where course_id = $1 order by created_at, id`,
    course.id,
  )

const asItWas = [
  { content: 'As it was', status: 'published', comments: 1, said: ['As it was'], votes: 0 },
  { content: 'Later', status: 'scheduled', comments: 0, said: [], votes: 0 },
]

test.each<[string, (at: Scene) => Parameters<typeof send>]>([
  [
    'write',
    ({ member, course }) => [member, 'POST', '/posts', { courseId: course.id, content: 'x' }],
  ],
  ['edit a post', ({ member, postId }) => [member, 'PUT', `/posts/${postId}`, { content: 'x' }]],
  ['comment', ({ member, postId }) => [member, 'POST', '/comments', { postId, content: 'x' }]],
  [
    'edit a comment',
    ({ member, commentId }) => [member, 'PUT', `/comments/${commentId}`, { content: 'x' }],
  ],
  [
    'vote',
    ({ member, postId, optionId }) => [member, 'PUT', `/posts/${postId}/vote`, { optionId }],
  ],
])('who leaves at that moment does not %s', async (_what, call) => {
  const at = await scene()
  const answer = await meanwhile(
    holdingCourse(at),
    () => send(...call(at)),
    (holder) =>
      holder.query('delete from enrollments where course_id = $1 and user_id = $2', [
        at.course.id,
        at.member.id,
      ]),
  )
  expect([...said(answer), answer.body.code]).toEqual([
    403,
    'Only members of this course can take part in its discussion.',
    'MEMBERS_ONLY',
  ])
  expect(await leftOf(at)).toEqual(asItWas)
})

test('who puts a post off while they are removed, and who removes them, do not wait for each other', async () => {
  const at = await scene()
  let removal: ReturnType<typeof send> | undefined
  const [edited] = await behindChange(
    app.services,
    [
      'select 1 from enrollments where course_id = $1 and user_id = $2 for update',
      at.course.id,
      at.member.id,
    ],
    [
      () =>
        send(at.member, 'PUT', `/posts/${at.postId}`, { content: 'x', scheduledFor: inDays(5) }),
    ],
    async () => {
      removal = send(at.instructor, 'DELETE', `/courses/${at.course.id}/members/${at.member.id}`)
      await waitingFor(app.services, 2)
    },
  )
  expect([edited!.status, (await removal!).status]).toEqual([200, 200])
})

test.each<[string, typeof holdingCourse, (at: Scene) => Parameters<typeof send>, string]>([
  [
    'names its channels',
    holdingCourse,
    ({ instructor, course }) => [
      instructor,
      'PUT',
      `/courses/${course.id}/channels`,
      { channels: [{ name: 'Mine' }] },
    ],
    'Course not found',
  ],
  [
    'pins a post',
    holdingCourse,
    ({ instructor, postId }) => [instructor, 'PUT', `/posts/${postId}/pin`, { isPinned: true }],
    'Post not found',
  ],
  [
    'publishes what waits',
    holdingInstructor,
    ({ instructor, waitingId }) => [instructor, 'POST', `/posts/${waitingId}/publication`],
    'This post does not wait to be published any more.',
  ],
])(
  'whose course becomes another’s at that moment no longer %s',
  async (_what, hold, call, message) => {
    const at = await scene()
    const answer = await meanwhile(hold(at), () => send(...call(at)), givingCourse(at))
    expect(said(answer)).toEqual([404, message])
    expect(await leftOf(at)).toEqual(asItWas)
    expect(
      await query('select 1 from community_channels where course_id = $1', at.course.id),
    ).toEqual([])
    expect(await query('select 1 from posts where is_pinned and id = $1', at.postId)).toEqual([])
  },
)

test('what waits is not published for who gives the course away at its time', async () => {
  const at = await scene()
  await meanwhile(
    holdingInstructor(at),
    () => publishScheduledPost({ postId: at.waitingId }, app.services),
    givingCourse(at),
  )
  expect(await leftOf(at)).toEqual(asItWas)
  // Nor afterwards: it is a post of somebody who is not the instructor.
  await publishScheduledPost({ postId: at.waitingId }, app.services)
  expect(await leftOf(at)).toEqual(asItWas)
})

test('nothing is written in a course that is deleted at that moment', async () => {
  const at = await scene()
  const answer = await meanwhile(
    holdingCourse(at),
    () => send(at.member, 'POST', '/posts', { courseId: at.course.id, content: 'x' }),
    (holder) => holder.query('delete from courses where id = $1', [at.course.id]),
  )
  expect([answer.status, answer.body.code]).toEqual([403, 'MEMBERS_ONLY'])
  expect(await leftOf(at)).toEqual([])
})

test.each<[string, number, (at: Scene) => Parameters<typeof send>]>([
  [
    'written',
    5,
    ({ instructor, course }) => [
      instructor,
      'POST',
      '/posts',
      { courseId: course.id, content: 'x', isAnnouncement: true, scheduledFor: inDays(5) },
    ],
  ],
  [
    'put off',
    5,
    ({ instructor, waitingId }) => [
      instructor,
      'PUT',
      `/posts/${waitingId}`,
      { content: 'Later', scheduledFor: inDays(5) },
    ],
  ],
  [
    'published',
    0.1,
    ({ instructor, waitingId }) => [instructor, 'POST', `/posts/${waitingId}/publication`],
  ],
])(
  'an announcement that is %s waits for those before it, and counts them',
  async (_what, days, call) => {
    const at = await scene()
    await query(
      'update posts set is_announcement = true, scheduled_for = $2 where id = $1',
      at.waitingId,
      inDays(50),
    )
    const answer = await meanwhile(
      (holder) =>
        holder.query('select 1 from courses where id = $1 for no key update', [at.course.id]),
      () => send(...call(at)),
      (holder) =>
        holder.query(
          `insert into posts (course_id, user_id, content, status, scheduled_for, is_announcement)
         select $1, $2, 'Before', 'scheduled', $3, true from generate_series(1, 3)`,
          [at.course.id, at.instructor.id, inDays(days)],
        ),
    )
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
  },
)

const commentGone = 'This comment does not exist any more.'

test.each<[string, (at: Scene) => Parameters<typeof send>, unknown[]]>([
  [
    'edited',
    ({ member, commentId }) => [member, 'PUT', `/comments/${commentId}`, { content: 'x' }],
    [404, commentGone],
  ],
  [
    'answered',
    ({ other, postId, commentId }) => [
      other,
      'POST',
      '/comments',
      { postId, parentId: commentId, content: 'x' },
    ],
    [409, 'The comment that you answer was deleted.'],
  ],
  [
    'deleted',
    ({ member, commentId }) => [member, 'DELETE', `/comments/${commentId}`],
    [200, undefined],
  ],
])('a comment that goes at that moment is not %s', async (_what, call, expected) => {
  const at = await scene()
  const answer = await meanwhile(
    holdingPost(at),
    () => send(...call(at)),
    async (holder) => {
      await holder.query('delete from comments where id = $1', [at.commentId])
      await holder.query('update posts set comments_count = 0 where id = $1', [at.postId])
    },
  )
  expect(said(answer)).toEqual(expected)
  expect(await leftOf(at)).toEqual([{ ...asItWas[0], comments: 0, said: [] }, asItWas[1]])
})

test('a post that goes at that moment is not voted on, nor what stands below it deleted', async () => {
  const at = await scene()
  const remove = (holder: PoolClient) =>
    holder.query('delete from posts where id = $1', [at.postId])
  const deleted = await meanwhile(
    holdingPost(at),
    () => send(at.member, 'DELETE', `/comments/${at.commentId}`),
    remove,
  )
  expect(said(deleted)).toEqual([200, undefined])
  const next = await scene()
  const voted = await meanwhile(
    (holder) => holder.query('select 1 from polls where post_id = $1 for update', [next.postId]),
    () => send(next.member, 'PUT', `/posts/${next.postId}/vote`, { optionId: next.optionId }),
    (holder) => holder.query('delete from posts where id = $1', [next.postId]),
  )
  expect(said(voted)).toEqual([404, 'This poll does not exist any more.'])
})

test('a comment waits for accounts that are going before it holds the post', async () => {
  const at = await scene()
  const replier = await someone()
  await joinCourse(app.services, replier, at.course)
  const below = await makeComment(app.services, at.postId, { by: replier })
  for (const [going, parentId] of [
    [at.member, null],
    [replier, below],
  ] as const) {
    const written = await meanwhile(
      (holder) => holder.query('select 1 from users where id = $1 for update', [going.id]),
      () => send(at.other, 'POST', '/comments', { postId: at.postId, parentId, content: 'x' }),
      async () => {
        const liked = await send(at.instructor, 'PUT', `/posts/${at.postId}/like`, { liked: true })
        expect(liked.status).toBe(200)
      },
    )
    expect(written.status).toBe(200)
  }
})

test('a comment that is deleted the moment it is there is answered as it was written', async () => {
  const { member, postId, commentId } = await scene()
  await query(`
    create function forget_comment() returns trigger language plpgsql as $$ begin
      delete from comments where id = new.id; return null; end $$`)
  await query(`
    create constraint trigger forget_comment after insert or update on comments
      deferrable initially deferred for each row
      when (new.content = 'Gone at once') execute function forget_comment()`)
  const content = 'Gone at once'
  const written = await send(member, 'POST', '/comments', { postId, content })
  expect([written.status, written.body.content]).toEqual([200, content])
  const edited = await send(member, 'PUT', `/comments/${commentId}`, { content })
  expect([edited.status, edited.body.content]).toEqual([200, content])
  expect(await query('select 1 from comments where post_id = $1', postId)).toEqual([])
})
