// Polls and channels where it is easy to get them wrong: nothing to take back, the same channel twice, another course.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  makeComment,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { forgetLimits } from '../../../test/forget-limits.ts'
import { createComment } from './create-comment.ts'
import { createPost } from './create-post.ts'
import { likeComment } from './like-comment.ts'
import { likePost } from './like-post.ts'
import { pinPost } from './pin-post.ts'
import { removeComment } from './remove-comment.ts'
import { postDraft } from './schema.ts'
import { updateComment } from './update-comment.ts'
import { updatePost } from './update-post.ts'
import { votePoll } from './vote-poll.ts'

let app: TestApp
let instructor: Someone
let ann: Someone
let bob: Someone
let course: Awaited<ReturnType<typeof makeCourse>>

beforeAll(async () => {
  app = await startTestApp()
  ;[instructor, ann, bob] = [await someone(), await someone(), await someone()]
  await query('insert into plan_grants (user_id) values ($1)', instructor.id)
})
beforeEach(async () => {
  await forgetLimits(app.services.pool)
  course = await newCourse()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

async function newCourse() {
  const made = await makeCourse(app.services, instructor)
  for (const person of [ann, bob]) await joinCourse(app.services, person, made)
  return made
}

const query = async <Row = Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows as Row[]
const send = (by: Someone, method: string, path: string, body?: object) =>
  app.request(`/rest/v1${path}`, { method, cookie: by.cookie, body })
const vote = (by: Someone, postId: string, optionId: string | null) =>
  send(by, 'PUT', `/posts/${postId}/vote`, { optionId })
const said = ({ status, body }: { status: number; body: { message?: string } }) => [
  status,
  body.message,
]
const votesHeard = async () =>
  (
    await query(
      `select 1 from live_events where topic = $1 and event ->> 'type' = 'votes'`,
      `course:${course.id}`,
    )
  ).length

describe('a vote', () => {
  const closesAt = '2099-01-01T00:00:00.000Z'
  async function asked() {
    const { body } = await send(instructor, 'POST', '/posts', {
      courseId: course.id,
      content: 'Which?',
      poll: { options: ['One', 'Two', 'Three'] },
    })
    await query('update polls set closes_at = $2 where post_id = $1', body.id, closesAt)
    const ids: string[] = body.poll.options.map(({ id }: { id: string }) => id)
    const result = (votedFor: string | null, counts: (number | null)[], votesCount: number) => ({
      options: ['One', 'Two', 'Three'].map((text, index) => ({
        id: ids[index],
        text,
        votesCount: counts[index],
      })),
      votesCount,
      votedFor,
      closesAt,
      isClosed: false,
    })
    return { postId: body.id as string, ids, result }
  }

  test('moves the own one and nobody else’s, and the answers keep their order', async () => {
    const { postId, ids, result } = await asked()
    const [one, two, three] = ids as [string, string, string]
    expect((await vote(ann, postId, two)).body).toEqual(result(two, [0, 1, 0], 1))
    expect((await vote(bob, postId, two)).body).toEqual(result(two, [0, 2, 0], 2))
    expect((await vote(instructor, postId, three)).body).toEqual(result(three, [0, 2, 1], 3))
    expect((await vote(ann, postId, one)).body).toEqual(result(one, [1, 1, 1], 3))
    expect((await vote(bob, postId, null)).body).toEqual(result(null, [null, null, null], 2))
    // The instructor goes on seeing the numbers.
    expect((await vote(instructor, postId, null)).body).toEqual(result(null, [1, 0, 0], 1))
    expect((await send(ann, 'GET', `/posts/${postId}`)).body.poll).toEqual(
      result(one, [1, 0, 0], 1),
    )
    expect(await votesHeard()).toBe(6)
  })

  test('that was never given is taken back in silence', async () => {
    const { postId, result } = await asked()
    expect((await vote(ann, postId, null)).body).toEqual(result(null, [null, null, null], 0))
    expect(await votesHeard()).toBe(0)
  })

  test('for an answer of another poll, or below a post without one, is none', async () => {
    const { postId, ids } = await asked()
    const other = await asked()
    expect(said(await vote(ann, postId, other.ids[0]!))).toEqual([
      400,
      'This is no answer of this poll. Please choose again.',
    ])
    const plain = await makePost(app.services, course)
    expect(said(await vote(ann, plain, ids[0]!))).toEqual([
      404,
      'This poll does not exist any more.',
    ])
    await query(`update posts set status = 'hidden' where id = $1`, postId)
    expect(said(await vote(ann, postId, ids[0]!))).toEqual([
      404,
      'This poll does not exist any more.',
    ])
    expect(
      await query('select 1 from poll_votes where post_id in ($1, $2)', postId, plain),
    ).toEqual([])
  })
})

describe('channels', () => {
  const save = (list: object[], known?: string[]) =>
    send(instructor, 'PUT', `/courses/${course.id}/channels`, { channels: list, known })

  test('named twice in a list, the first one is meant', async () => {
    const [questions] = (await save([{ name: 'Questions' }])).body.channels
    const { body } = await save([
      { id: questions.id, name: 'Answers' },
      { id: questions.id, name: 'Questions' },
    ])
    expect(body.channels).toEqual([
      { id: questions.id, name: 'Answers' },
      { id: expect.any(String), name: 'Questions' },
    ])
    expect(body.channels[1].id).not.toBe(questions.id)
  })

  test('that read the same are refused, and the list stays; none at all is a list', async () => {
    const kept = (await save([{ name: 'Fish' }, { name: 'Maß' }])).body.channels
    for (const list of [
      [...kept, { name: 'ﬁsh' }],
      [...kept, { name: 'FISH' }],
    ]) {
      expect(said(await save(list))).toEqual([409, 'Two channels cannot have the same name.'])
    }
    // The database knows one small sigma where JavaScript knows two.
    expect((await save([...kept, { name: 'ΟΔΟΣ' }, { name: 'οδοσ' }])).status).toBe(409)
    expect((await save([...kept, { name: 'Mass' }])).body.channels).toHaveLength(3)
    expect((await save([])).body.channels).toEqual([])
    const feed = await send(ann, 'GET', `/courses/${course.slug}/posts`)
    expect(feed.body.channels).toEqual([])
  })

  describe('that a stale list does not know', () => {
    async function addedMeanwhile(names: string[]) {
      const before = (await save([{ name: 'Questions' }, { name: 'Tools' }])).body.channels
      const [questions, tools] = before
      const all = await save([...before, ...names.map((name) => ({ name }))])
      return {
        questions,
        tools,
        added: all.body.channels.slice(2),
        known: [questions.id, tools.id],
      }
    }

    test('stay behind its own, with their posts; what it knew and left out goes', async () => {
      const { questions, tools, added, known } = await addedMeanwhile(['Wins', 'Talk'])
      const [wins] = added
      const posted = await send(ann, 'POST', '/posts', {
        courseId: course.id,
        content: 'It holds water',
        channelId: wins.id,
      })
      const saved = await save([{ name: 'New' }, { id: tools.id, name: 'Kilns' }], known)
      expect(saved.body.channels).toEqual([
        { id: expect.any(String), name: 'New' },
        { id: tools.id, name: 'Kilns' },
        ...added,
      ])
      expect((await send(ann, 'GET', `/posts/${posted.body.id}`)).body.channel).toEqual(wins)
      // Who is new to the call says nothing of what it knew: the list is all of them.
      const only = await save([{ id: questions.id, name: 'Questions' }])
      expect(only.body.channels).toMatchObject([{ name: 'Questions' }])
    })

    test('and that were made of this very list, whose answer was lost, are those that it asks for', async () => {
      const { questions, tools, known } = await addedMeanwhile([])
      const list = [{ name: 'Wins' }, questions, { name: 'Talk' }, tools]
      const { body } = await save(list, known)
      const again = await save(list, known)
      expect(again.body.channels ?? said(again)).toEqual(body.channels)
      expect(body.channels.map(({ name }: { name: string }) => name)).toEqual([
        'Wins',
        'Questions',
        'Talk',
        'Tools',
      ])
      // A name can be had once.
      expect((await save([...list, { name: 'Talk' }], known)).status).toBe(409)
    })

    test('count where names are compared, and where there is room for no more', async () => {
      const { questions, tools, known } = await addedMeanwhile(['Wins'])
      const wins = { name: 'wins' }
      expect(said(await save([questions, tools, wins], known))).toEqual([
        409,
        'Two channels cannot have the same name.',
      ])
      const many = Array.from({ length: 18 }, (_, index) => ({ name: `No. ${index}` }))
      expect(said(await save([questions, tools, ...many], known))).toEqual([
        400,
        'A community can have at most 20 channels',
      ])
      expect((await save([questions, tools, ...many.slice(1)], known)).body.channels).toHaveLength(
        20,
      )
    })
  })
})

test('no verb reaches what belongs to another course, or lets in who belongs to none', async () => {
  const other = await newCourse()
  const postId = await makePost(app.services, course, { by: ann, content: 'As it was' })
  const commentId = await makeComment(app.services, postId, { by: ann, content: 'As it was' })
  await query('insert into polls (post_id) values ($1)', postId)
  const place = { courseId: other.id, instructorId: instructor.id }
  const there = { ...place, slug: other.slug }
  const edit = { postId, content: 'Else', attachments: [], channelId: null }
  const { db } = app.services
  const noVote = { postId, optionId: null }
  const answers = await db.transaction(async (transaction) => [
    await createComment(transaction, {
      userId: ann.id,
      course: there,
      postId,
      parentId: null,
      content: 'x',
    }),
    await updateComment(transaction, { userId: ann.id, course: there, commentId, content: 'x' }),
    await removeComment(transaction, { commentId, courseId: other.id }),
    await updatePost(transaction, { ...edit, ...place, userId: ann.id }),
    await pinPost(transaction, { postId, ...place, isPinned: true }),
    await votePoll(transaction, { ...noVote, ...place, userId: ann.id }),
  ])
  expect(answers).toEqual([
    'post gone',
    'gone',
    false,
    { code: 'NOT_FOUND', message: 'Post not found' },
    'gone',
    'gone',
  ])
  const liking = { postId, commentId, liked: true }
  const bobs = { ...liking, userId: bob.id, courseId: other.id }
  expect([await likePost(db, bobs), await likeComment(db, bobs)]).toEqual([null, null])

  const own = { courseId: course.id, instructorId: instructor.id }
  const here = { ...own, slug: course.slug }
  const userId = (await someone()).id
  const strangers = await db.transaction(async (transaction) => [
    await createPost(transaction, {
      ...postDraft.parse({ courseId: course.id, content: 'x' }),
      ...own,
      userId,
    }),
    await createComment(transaction, {
      userId,
      course: here,
      postId,
      parentId: null,
      content: 'x',
    }),
    await updateComment(transaction, { userId, course: here, commentId, content: 'x' }),
    await updatePost(transaction, { ...edit, ...own, userId }),
    await votePoll(transaction, { ...noVote, ...own, userId }),
  ])
  expect(strangers).toEqual([
    { refusal: { code: 'MEMBERS_ONLY' } },
    'no member',
    'no member',
    { code: 'MEMBERS_ONLY' },
    'no member',
  ])
  const theirs = { ...liking, userId, courseId: course.id }
  expect([await likePost(db, theirs), await likeComment(db, theirs)]).toEqual([null, null])
  expect(
    await query(
      `select p.content, p.is_pinned as pinned, p.likes_count as likes, p.comments_count as comments,
              c.content as said, c.status, c.likes_count as liked
         from posts p join comments c on c.post_id = p.id where p.id = $1`,
      postId,
    ),
  ).toEqual([
    {
      content: 'As it was',
      pinned: false,
      likes: 0,
      comments: 1,
      said: 'As it was',
      status: 'published',
      liked: 0,
    },
  ])
})
