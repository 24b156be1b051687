import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { Comment, CommunityRights } from '../schema.ts'
import { CommentForm } from './comment-form.tsx'
import { type CommentActions, CommentItem, focusAtEnd } from './comment-item.tsx'
import { hiddenReplies, type ShownThread } from './comments-state.ts'

export interface ThreadContext {
  slug: string
  rights: CommunityRights
  actions: CommentActions
  /** The comment that the address names. */
  linkedId: string | undefined
  /** The comment that is being changed. */
  editingId: string | null
  /** What is being answered. */
  replyingTo: Comment | null
  onReplyEnd: () => void
  /** Answers why it could not be sent; null when it was. */
  onSendReply: (parent: Comment, content: string) => Promise<string | null>
  loadReplies: (threadId: string, cursor: string) => Promise<boolean>
}

type CommentThreadProps = { thread: ShownThread; context: ThreadContext }

/** A comment with its replies, one level deep, in the order of time. */
export function CommentThread({ thread, context }: CommentThreadProps) {
  const { slug, replyingTo, onReplyEnd, onSendReply } = context
  const isAnswered = replyingTo !== null && (replyingTo.threadId ?? replyingTo.id) === thread.id
  const known = [...thread.replies, ...thread.later]
  const item = (comment: Comment) => (
    <CommentItem
      slug={slug}
      comment={comment}
      rights={context.rights}
      answered={answeredBy(comment, known)}
      isLinked={comment.id === context.linkedId}
      isEditing={comment.id === context.editingId}
      actions={context.actions}
    />
  )
  return (
    <li className="grid grid-cols-1 gap-1">
      {item(thread)}
      <div className="ml-3 grid grid-cols-1 gap-1 border-l pl-4 empty:hidden sm:ml-5 sm:pl-6">
        {(known.length > 0 || hasMoreReplies(thread)) && (
          <ol aria-label={`Replies to ${thread.author?.name ?? 'a removed comment'}`}>
            {thread.replies.map((reply) => (
              <li key={reply.id}>{item(reply)}</li>
            ))}
            <MoreReplies thread={thread} loadReplies={context.loadReplies} />
            {thread.later.map((reply) => (
              <li key={reply.id}>{item(reply)}</li>
            ))}
          </ol>
        )}
        {isAnswered && (
          <div className="grid gap-2 py-2">
            <p className="text-sm text-muted wrap-anywhere">
              Replying to <bdi className="font-semibold">{replyingTo.author?.name}</bdi>
            </p>
            <CommentForm
              key={replyingTo.id}
              ref={focusAtEnd}
              slug={slug}
              draft={`reply ${replyingTo.id}`}
              about={replyingTo}
              label={`Reply to ${replyingTo.author?.name}`}
              placeholder="Write a reply..."
              sendLabel="Reply"
              busyLabel="Replying..."
              onSend={(content) => onSendReply(replyingTo, content)}
              onLateRefusal={(problem) =>
                context.actions.onLateRefusal('Your reply was not sent', problem)
              }
              onCancel={onReplyEnd}
            />
          </div>
        )}
      </div>
    </li>
  )
}

/** Whom a reply to a reply answers, as far as that one is loaded. */
function answeredBy({ parentId, threadId }: Comment, known: Comment[]): string | null {
  if (parentId === null || parentId === threadId) return null
  return known.find(({ id }) => id === parentId)?.author?.name ?? null
}

const hasMoreReplies = (thread: ShownThread) =>
  thread.nextReplies !== null && hiddenReplies(thread) > 0

type MoreRepliesProps = { thread: ShownThread } & Pick<ThreadContext, 'loadReplies'>

/** Stands where the replies are that are not loaded. */
function MoreReplies({ thread, loadReplies }: MoreRepliesProps) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { nextReplies } = thread
  const count = hiddenReplies(thread)
  if (nextReplies === null || !hasMoreReplies(thread)) return null

  async function load(cursor: string) {
    if (state === 'loading') return
    setState('loading')
    setState((await loadReplies(thread.id, cursor)) ? 'idle' : 'failed')
  }

  return (
    <li className="grid justify-items-start gap-1 py-1">
      <Button
        variant="ghost"
        size="sm"
        busy={state === 'loading'}
        onClick={() => void load(nextReplies)}
        className="-mx-3.5 text-primary"
      >
        {count === 1 ? 'Show 1 more reply' : `Show ${count.toLocaleString('en')} more replies`}
      </Button>
      {state === 'failed' && (
        <p role="alert" className="text-sm text-danger">
          The replies could not be loaded. Please try again.
        </p>
      )}
    </li>
  )
}
