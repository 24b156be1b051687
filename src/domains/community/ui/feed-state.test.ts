import { expect, test } from 'vitest'
import type { Post } from '../schema.ts'
import { changeFeed, type FeedChange, type FeedState, firstState, untold } from './feed-state.ts'

const author = {
  id: 'ada',
  name: 'Ada',
  username: 'ada',
  avatarUrl: null,
  verified: false,
  isInstructor: false,
}

/** Number 9 is newer than number 1. */
const post = (n: number, rest: Partial<Post> = {}): Post => ({
  id: `post-${n}`,
  courseId: 'course',
  author,
  content: `Post ${n}`,
  mentions: [],
  attachments: [],
  poll: null,
  channel: null,
  isPinned: false,
  isAnnouncement: false,
  status: 'published',
  scheduledFor: null,
  likesCount: 0,
  commentsCount: 0,
  liked: false,
  isOwn: false,
  createdAt: `2026-01-0${n}T10:00:00.000Z`,
  updatedAt: `2026-01-0${n}T10:00:00.000Z`,
  ...rest,
})
const page = (numbers: number[], nextCursor: string | null = null) => ({
  posts: numbers.map((n) => post(n)),
  nextCursor,
})
const after = (state: FeedState, ...changes: FeedChange[]) => changes.reduce(changeFeed, state)
const shownOf = ({ posts }: FeedState) => posts.map(({ id }) => Number(id.split('-')[1]))

test('pages follow each other, and nothing is there twice', () => {
  const state = after(
    firstState('newest', page([9, 8, 7], 'a')),
    { type: 'waits', postId: 'post-6' },
    { type: 'continued', after: 'a', page: page([7, 6, 5]) },
  )
  expect(shownOf(state)).toEqual([9, 8, 7, 6, 5])
  expect(state).toMatchObject({ nextCursor: null, waiting: [] })
})

test('a page after what is not the end any more leaves no gap', () => {
  const state = after(
    firstState('newest', page([6, 5], 'a')),
    { type: 'shown', sort: 'newest', page: page([9, 8], 'b') },
    { type: 'continued', after: 'a', page: page([4, 3]) },
  )
  expect(shownOf(state)).toEqual([9, 8])
  expect(state.nextCursor).toBe('b')
})

test('posts by others wait, once each, until they are asked for', () => {
  const state = after(
    firstState('newest', page([7, 6], 'a')),
    { type: 'waits', postId: 'post-8' },
    { type: 'waits', postId: 'post-8' },
    { type: 'waits', postId: 'post-9' },
    { type: 'waits', postId: 'post-7' },
    { type: 'removed', postId: 'post-9' },
  )
  expect(shownOf(state)).toEqual([7, 6])
  expect(state.waiting).toEqual(['post-8'])
  const shown = after(state, { type: 'shown', sort: 'newest', page: page([8, 7], 'b') })
  expect(shownOf(shown)).toEqual([8, 7])
  expect(shown).toMatchObject({ waiting: [], nextCursor: 'b' })
})

test('an own post comes first, below what is pinned', () => {
  const first = { posts: [post(1, { isPinned: true }), post(5)], nextCursor: null }
  const state = after(
    firstState('oldest', first),
    { type: 'waits', postId: 'post-6' },
    { type: 'written', post: post(6, { isOwn: true }) },
  )
  expect(shownOf(state)).toEqual([1, 6, 5])
  expect(state.waiting).toEqual([])
})

test('who pins sees it go to the top, and back to its place', () => {
  const start = firstState('newest', page([5, 4, 3], 'a'))
  const state = after(start, { type: 'pinned', postId: 'post-3', isPinned: true })
  expect(shownOf(state)).toEqual([3, 5, 4])
  const two = after(state, { type: 'pinned', postId: 'post-4', isPinned: true })
  expect(shownOf(two)).toEqual([4, 3, 5])
  expect(shownOf(after(two, { type: 'pinned', postId: 'post-4', isPinned: false }))).toEqual([
    3, 5, 4,
  ])
  const liked = firstState('highest', {
    posts: [post(1, { isPinned: true, likesCount: 2 }), post(2, { likesCount: 9 }), post(3)],
    nextCursor: null,
  })
  expect(shownOf(after(liked, { type: 'pinned', postId: 'post-1', isPinned: false }))).toEqual([
    2, 1, 3,
  ])
})

test('what changes by others changes in its place', () => {
  const state = after(
    firstState('newest', page([5, 4, 3])),
    { type: 'changed', post: post(4, { content: 'Better', isPinned: true }) },
    { type: 'likesCount', postId: 'post-3', likesCount: 12 },
    { type: 'commentsCount', postId: 'post-3', commentsCount: 4 },
    { type: 'changed', post: post(1) },
    { type: 'removed', postId: 'post-5' },
  )
  expect(shownOf(state)).toEqual([4, 3])
  expect(state.posts[0]).toMatchObject({ content: 'Better', isPinned: true })
  expect(state.posts[1]).toMatchObject({ likesCount: 12, commentsCount: 4 })
})

test('what was hidden and is restored comes back to its place', () => {
  const start = firstState('newest', page([5, 4, 3]))
  const hidden = after(start, { type: 'removed', postId: 'post-4' })
  expect(shownOf(hidden)).toEqual([5, 3])
  const restored = after(hidden, { type: 'restored', post: post(4), at: 1 })
  expect(shownOf(restored)).toEqual([5, 4, 3])
  expect(shownOf(after(restored, { type: 'restored', post: post(4), at: 1 }))).toEqual([5, 4, 3])
})

test('a like counts at once, not twice, and is taken back', () => {
  const start = firstState('newest', page([5]))
  const liking = after(
    start,
    { type: 'like', postId: 'post-5', liked: true },
    { type: 'like', postId: 'post-5', liked: true },
  )
  expect(liking.posts[0]).toMatchObject({ liked: true, likesCount: 1 })
  // What others tell meanwhile may be from before.
  const told = after(
    liking,
    { type: 'likesCount', postId: 'post-5', likesCount: 0 },
    { type: 'changed', post: post(5, { content: 'New words' }) },
  )
  expect(told.posts[0]).toMatchObject({ content: 'New words', liked: true, likesCount: 1 })
  const settled = { type: 'likeSettled', postId: 'post-5' } as const
  const done = after(told, { ...settled, liked: true, likesCount: 7 })
  expect(done.posts[0]).toMatchObject({ liked: true, likesCount: 7 })
  expect(done.liking).toEqual([])
  const refused = after(told, { ...settled, liked: false, likesCount: 0 })
  expect(refused.posts[0]).toMatchObject({ liked: false, likesCount: 0 })
})

test('looking again moves nothing: what is gone goes, what is new waits', () => {
  const start = firstState('newest', page([8, 7, 6, 5, 4], 'a'))
  const again = { posts: [post(9), post(8), post(6, { likesCount: 3 }), post(5)], nextCursor: 'b' }
  const state = after(start, { type: 'lookedAgain', page: again })
  // Number 4 is further down than what was told.
  expect(shownOf(state)).toEqual([8, 6, 5, 4])
  expect(state.posts[1]).toMatchObject({ likesCount: 3 })
  expect(state).toMatchObject({ waiting: ['post-9'], nextCursor: 'a' })
  const all = after(start, { type: 'lookedAgain', page: page([8, 6]) })
  expect(shownOf(all)).toEqual([8, 6])
})

test('what lies below the shown posts does not count as new', () => {
  const start = firstState('newest', page([8, 7], 'a'))
  const state = after(start, { type: 'lookedAgain', page: page([8, 7, 6, 5], 'b') })
  expect(state.waiting).toEqual([])
  // By likes nobody knows from one page whether a post is gone.
  const liked = firstState('highest', page([8, 7], 'a'))
  expect(shownOf(after(liked, { type: 'lookedAgain', page: page([8, 6], 'b') }))).toEqual([8, 7])
  // So those are asked for.
  expect(untold(liked, page([8, 6], 'b'))).toEqual(['post-7'])
  expect(untold(start, page([8, 6], 'b'))).toEqual([])
})
