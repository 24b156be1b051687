import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CommentThread } from './comment-thread.tsx'
import type { ShownThread } from './comments-state.ts'

const thread: ShownThread = {
  id: '1',
  postId: 'post',
  parentId: null,
  threadId: null,
  author: null,
  content: '',
  mentions: [],
  status: 'deleted',
  likesCount: 0,
  liked: false,
  isOwn: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  repliesCount: 2,
  replies: [],
  nextReplies: 'x',
  later: [],
}

const shown = (facts: Partial<ShownThread>) =>
  renderToStaticMarkup(
    <CommentThread
      thread={{ ...thread, ...facts }}
      context={{
        slug: 'knots',
        rights: {
          canPost: true,
          canModerate: false,
          canManage: false,
          hasAdvanced: false,
          openCases: null,
        },
        actions: {} as never,
        linkedId: undefined,
        editingId: null,
        replyingTo: null,
        onReplyEnd: () => {},
        onSendReply: async () => null,
        loadReplies: async () => true,
      }}
    />,
  )

test('replies that are not loaded can be reached when all that were are gone', () => {
  expect(shown({})).toContain('Show 2 more replies')
  expect(shown({ nextReplies: null, repliesCount: 0 })).not.toContain('Replies to')
})
