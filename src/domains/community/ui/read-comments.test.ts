// Comments that are opened again, after others wrote and deleted while nobody listened.
import { expect, test } from 'vitest'
import type { Comment, Thread } from '../schema.ts'
import { changeComments, type CommentsState, hiddenReplies } from './comments-state.ts'
import { type CommentCalls, readFromStart } from './read-comments.ts'

const comment = (id: string, threadId: string | null = null): Comment => ({
  id,
  postId: 'post',
  parentId: threadId,
  threadId,
  author: null,
  content: id,
  mentions: [],
  status: 'published',
  likesCount: 0,
  liked: false,
  isOwn: false,
  createdAt: `2026-01-01T00:00:${id.padStart(2, '0')}.000Z`,
  updatedAt: '',
})

/** A server with pages of two threads, of which come two replies. */
function serverOf(threads: Map<string, string[]>): CommentCalls {
  function threadOf(id: string): Thread {
    const all = threads.get(id)!.map((one) => comment(one, id))
    const replies = all.slice(0, 2)
    const nextReplies = all.length > 2 ? replies.at(-1)!.id : null
    return { ...comment(id), repliesCount: all.length, replies, nextReplies, linkedReply: null }
  }
  return {
    async page({ cursor, only }) {
      const rest = [...threads.keys()].filter((id) => !cursor || Number(id) > Number(cursor))
      const ids = only ? [] : rest.slice(0, 2)
      const linked = only && threads.has(only) ? threadOf(only) : null
      const nextCursor = !only && rest.length > 2 ? ids.at(-1)! : null
      return {
        error: null,
        page: { threads: ids.map(threadOf), nextCursor, linked, commentsCount: 0 },
      }
    },
    async replies(threadId, cursor) {
      const ids = threads.get(threadId)!.filter((id) => Number(id) > Number(cursor))
      const replies = ids.slice(0, 2).map((id) => comment(id, threadId))
      return { replies, nextCursor: ids.length > 2 ? replies.at(-1)!.id : null }
    },
  }
}

async function openedAgain(state: CommentsState, calls: CommentCalls): Promise<CommentsState> {
  const { page, beyond } = await readFromStart(calls, state, undefined)
  return changeComments(state, { type: 'lookedAgain', page: page!, beyond })!
}

async function opened(calls: CommentCalls): Promise<CommentsState> {
  const { page } = await readFromStart(calls, null, undefined)
  return changeComments(null, { type: 'shown', page: page! })!
}

const repliesOf = ({ replies, later }: CommentsState['threads'][number]) =>
  [...replies, ...later].map(({ content }) => content)

test('of replies that were loaded, what was deleted meanwhile is gone, and what is new can be asked for', async () => {
  const threads = new Map([['1', ['2', '3', '4', '5', '6']]])
  let state = await opened(serverOf(threads))
  for (const after of ['3', '5']) {
    // One page after the other, as they are pressed for.
    // oxlint-disable-next-line no-await-in-loop
    const page = await serverOf(threads).replies('1', after)
    state = changeComments(state, { type: 'replies', threadId: '1', page: page! })!
  }
  expect(repliesOf(state.threads[0]!)).toEqual(['2', '3', '4', '5', '6'])

  threads.set('1', ['2', '3', '5', '6', '7', '8', '9', '10'])
  const again = (await openedAgain(state, serverOf(threads))).threads[0]!
  expect(repliesOf(again)).toEqual(['2', '3', '5', '6', '7', '8'])
  expect([again.nextReplies, hiddenReplies(again)]).toEqual(['8', 2])
})

test('a thread behind pages that are not loaded goes when it was deleted, and stays as it is now', async () => {
  const threads = new Map([
    ['1', []],
    ['2', []],
    ['3', []],
    ['8', []],
    ['9', ['11']],
  ] as [string, string[]][])
  let state = await opened(serverOf(threads))
  for (const id of ['8', '9']) {
    state = changeComments(state, { type: 'written', comment: comment(id) })!
  }
  expect(state.later.map(({ id }) => id)).toEqual(['8', '9'])

  threads.delete('8')
  const again = await openedAgain(state, serverOf(threads))
  expect(again.threads.map(({ id }) => id)).toEqual(['1', '2'])
  expect(again.later.map((thread) => [thread.id, repliesOf(thread)])).toEqual([['9', ['11']]])
})
