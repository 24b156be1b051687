// What the dialog shows while others write, delete and like.
import { expect, test } from 'vitest'
import type { Comment, CommentPage, Thread } from '../schema.ts'
import { draftsLeft, isBegunAt, keepComment } from './comment-drafts.ts'
import {
  changeComments,
  type CommentsChange,
  type CommentsState,
  hiddenReplies,
  isIn,
  isRemoved,
} from './comments-state.ts'

const comment = (id: string, facts: Partial<Comment> = {}): Comment => ({
  id,
  postId: 'post',
  parentId: null,
  threadId: null,
  author: null,
  content: id,
  mentions: [],
  status: 'published',
  likesCount: 0,
  liked: false,
  isOwn: false,
  createdAt: `2026-01-01T00:00:${id.replaceAll(/\D/g, '').padStart(2, '0')}.000Z`,
  updatedAt: '',
  ...facts,
})

const reply = (id: string, threadId: string, facts: Partial<Comment> = {}) =>
  comment(id, { threadId, parentId: threadId, ...facts })

const thread = (id: string, facts: Partial<Thread> = {}): Thread => ({
  ...comment(id),
  repliesCount: facts.replies?.length ?? 0,
  replies: [],
  nextReplies: null,
  linkedReply: null,
  ...facts,
})

const page = (threads: Thread[], facts: Partial<CommentPage> = {}): CommentPage => ({
  threads,
  nextCursor: null,
  linked: null,
  commentsCount: 0,
  ...facts,
})

const after = (first: CommentPage, ...changes: CommentsChange[]): CommentsState =>
  changes.reduce<CommentsState | null>(
    changeComments,
    changeComments(null, { type: 'shown', page: first }),
  )!

const ids = ({ threads, later }: CommentsState) => [
  threads.map(({ id }) => id),
  later.map(({ id }) => id),
]
const repliesIn = (state: CommentsState, id: string) => {
  const found = [...state.threads, ...state.later].find((one) => one.id === id)!
  return [found.replies.map((one) => one.id), found.later.map((one) => one.id)]
}

test('what is written behind pages that are not loaded waits behind the gap, then joins', () => {
  const first = page([thread('1'), thread('2')], { nextCursor: 'x' })
  const state = after(first, { type: 'told', commentId: '9', thread: thread('9'), isNew: true })
  expect(ids(state)).toEqual([['1', '2'], ['9']])
  expect(state.unseen).toEqual(['9'])
  const next = page([thread('3'), thread('9')])
  expect(ids(changeComments(state, { type: 'continued', after: 'x', page: next })!)).toEqual([
    ['1', '2', '3', '9'],
    [],
  ])
  // From elsewhere than where what is shown ends by now.
  expect(changeComments(state, { type: 'continued', after: 'w', page: next })).toEqual(state)
  expect(changeComments(state, { type: 'seen' })!.unseen).toEqual([])
})

test('a linked reply stands behind what is not loaded of its thread', () => {
  const linked = thread('5', {
    repliesCount: 9,
    replies: [reply('6', '5')],
    nextReplies: 'x',
    linkedReply: reply('12', '5'),
  })
  const state = after(page([thread('1')], { nextCursor: 'x', linked }))
  expect(repliesIn(state, '5')).toEqual([['6'], ['12']])
  expect(hiddenReplies(state.later[0]!)).toBe(7)
  const more = { replies: [reply('7', '5'), reply('12', '5')], nextCursor: null }
  const all = changeComments(state, { type: 'replies', threadId: '5', page: more })!
  expect(repliesIn(all, '5')).toEqual([['6', '7', '12'], []])
})

test('the own comment and what is told of it are one', () => {
  const own = reply('2', '1', { isOwn: true })
  const now = thread('1', { repliesCount: 1, replies: [own] })
  for (const changes of [
    [
      { type: 'written', comment: own },
      { type: 'told', commentId: '2', thread: now, isNew: true },
    ],
    [
      { type: 'told', commentId: '2', thread: now, isNew: true },
      { type: 'written', comment: own },
    ],
  ] satisfies CommentsChange[][]) {
    const state = after(page([thread('1')]), ...changes)
    expect([repliesIn(state, '1')[0], state.threads[0]!.repliesCount]).toEqual([['2'], 1])
  }
})

test('what comes back above what was seen is not new at the end; what is told in another order is', () => {
  const told = (id: string) =>
    ({ type: 'told', commentId: id, thread: thread(id), isNew: true }) as const
  const state = after(page([thread('1'), thread('3')]), told('2'), told('9'), told('8'))
  expect(ids(state)).toEqual([['1', '2', '3', '8', '9'], []])
  expect(state.unseen).toEqual(['9', '8'])
})

test('what is told once more after an older answer is unseen once', () => {
  const first = page([thread('1')])
  const told = { type: 'told', commentId: '2', thread: thread('2'), isNew: true } as const
  const state = after(first, told, { type: 'lookedAgain', page: first }, told)
  expect(ids(state)).toEqual([['1', '2'], []])
  expect(state.unseen).toEqual(['2'])
})

test('with the last reply go the places that were kept for it', () => {
  const kept = thread('1', {
    status: 'deleted',
    repliesCount: 1,
    replies: [reply('2', '1', { status: 'deleted' }), reply('3', '1', { parentId: '2' })],
  })
  const state = after(page([kept, thread('4')]), { type: 'removed', commentId: '3' })
  expect(ids(state)).toEqual([['4'], []])
  const still = after(
    page([{ ...kept, repliesCount: 2, replies: [...kept.replies, reply('5', '1')] }]),
    { type: 'removed', commentId: '3' },
  )
  expect(repliesIn(still, '1')).toEqual([['5'], []])
})

test('changes come in place, also of what became a place, and nothing old comes in', () => {
  const first = page([thread('1', { replies: [reply('2', '1')] }), thread('3')])
  const told = thread('1', {
    status: 'deleted',
    content: '',
    replies: [reply('2', '1', { content: 'new' })],
  })
  const state = after(
    first,
    { type: 'told', commentId: '1', thread: told, isNew: false },
    { type: 'told', commentId: '2', thread: told, isNew: false },
    { type: 'told', commentId: '3', thread: null, isNew: false },
    { type: 'told', commentId: '7', thread: thread('7'), isNew: false },
  )
  expect(ids(state)).toEqual([['1'], []])
  expect(state.threads[0]).toMatchObject({ status: 'deleted', replies: [{ content: 'new' }] })
})

test('a like on its way is not undone by what was said before it', () => {
  const liked = after(page([thread('1', { likesCount: 4 })]), {
    type: 'like',
    commentId: '1',
    liked: true,
  })
  const meanwhile = changeComments(liked, { type: 'likesCount', commentId: '1', likesCount: 4 })!
  expect(meanwhile.threads[0]).toMatchObject({ liked: true, likesCount: 5 })
  const settled = { type: 'likeSettled', commentId: '1', liked: false, likesCount: 4 } as const
  expect(changeComments(meanwhile, settled)).toMatchObject({
    threads: [{ liked: false, likesCount: 4 }],
    liking: [],
  })
})

test('looked at again, what is gone is gone and what was loaded stays', () => {
  const first = page([thread('1'), thread('2'), thread('8')])
  const again = page([thread('2', { content: 'new' }), thread('3')], { nextCursor: 'x' })
  const state = after(first, { type: 'lookedAgain', page: again })
  expect(ids(state)).toEqual([['2', '3'], ['8']])
  expect(state.threads[0]!.content).toBe('new')
})

test('a comment is removed when it, its thread or its words are gone, not when it is not loaded', () => {
  const first = page([
    thread('1', { repliesCount: 9, replies: [reply('2', '1')], nextReplies: 'x' }),
    thread('5', { replies: [reply('6', '5'), reply('7', '5', { status: 'hidden' })] }),
    thread('8', { status: 'deleted', replies: [reply('9', '8')] }),
  ])
  const removed = (state: CommentsState) =>
    [comment('1'), reply('2', '1'), reply('3', '1'), comment('5'), reply('6', '5'), reply('7', '5')]
      .concat(comment('8'), reply('9', '8'), comment('10'), reply('11', '10'))
      .filter((one) => isRemoved(state, one))
      .map(({ id }) => id)
  const state = after(first)
  expect(removed(state)).toEqual(['7', '8', '10', '11'])
  const later = changeComments(state, { type: 'removed', commentId: '6' })!
  expect(removed(later)).toEqual(['6', '7', '8', '10', '11'])
})

test('a reply that is gone from the midst of those that were loaded is removed, whatever else is not loaded', () => {
  const replies = [reply('2', '1'), reply('3', '1')]
  const state = after(page([thread('1', { repliesCount: 9, replies, nextReplies: 'x' })]), {
    type: 'removed',
    commentId: '2',
  })
  expect(isRemoved(state, reply('2', '1'))).toBe(true)
  expect(isRemoved(state, reply('4', '1'))).toBe(false)
})

test('words are left when what they were begun for is removed, whether or not its form is open', () => {
  keepComment('reply 1', 'To the first', comment('1'))
  keepComment('edit 3', 'Another third', reply('3', '1'))
  keepComment('reply 5', 'To one that stays', comment('5'))
  keepComment('reply 9', 'Elsewhere', comment('9', { postId: 'another' }))
  keepComment('post post', 'To the post')
  const state = after(page([thread('1', { replies: [reply('3', '1')] }), thread('5')]))
  expect(draftsLeft('post', state)).toEqual([])
  const withoutReply = changeComments(state, { type: 'removed', commentId: '3' })!
  expect(draftsLeft('post', withoutReply)).toEqual(['edit 3'])
  const later = changeComments(withoutReply, { type: 'removed', commentId: '1' })!
  expect(draftsLeft('post', later)).toEqual(['reply 1', 'edit 3'])
  keepComment('reply 1', null)
  expect(draftsLeft('post', later)).toEqual(['edit 3'])
  expect(['post', 'another', 'third'].map(isBegunAt)).toEqual([true, true, false])
})

test('a page has its threads, their first replies, and what a link leads to', () => {
  const linked = thread('9', { linkedReply: reply('99', '9') })
  const one = page([thread('1', { replies: [reply('11', '1')] }), thread('2')], { linked })
  for (const id of ['1', '11', '2', '9', '99']) expect(isIn(one, id)).toBe(true)
  expect(isIn(one, '3')).toBe(false)
  expect(isIn(page([]), '1')).toBe(false)
})
