import { ORPCError, safe } from '@orpc/client'
import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { client } from '../../../web/api-client.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { LiveEvent } from '../../notifications/schema.ts'
import type { Comment, CommentPage, Post } from '../schema.ts'
import { isBegunAt } from './comment-drafts.ts'
import {
  type Beyond,
  changeComments,
  type CommentsChange,
  type CommentsState,
  isIn,
} from './comments-state.ts'
import { type CommentCalls, readFromStart } from './read-comments.ts'
import { createReadings } from './readings.ts'
import { useReadSoon } from './use-read-soon.ts'

const notLiked = 'Your like could not be saved. Please check your connection and try again.'

/** What was loaded of each post, for when its comments are opened again. */
const kept = new Map<string, CommentsState>()
const mostKept = 20

function keep(postId: string, state: CommentsState) {
  kept.delete(postId)
  kept.set(postId, state)
  // Where words wait for a comment, it would seem removed if it was not loaded any more.
  const oldest = [...kept.keys()].find((id) => id !== postId && !isBegunAt(id))
  if (kept.size > mostKept && oldest) kept.delete(oldest)
}

/** Nothing is on its way, and nothing new, when they are opened. */
function keptOf(postId: string): CommentsState | null {
  const state = kept.get(postId)
  return state ? { ...state, liking: [], unseen: [] } : null
}

const callsOf = (postId: string): CommentCalls => ({
  async page(asked) {
    const [error, page] = await safe(client.community.getComments({ postId, ...asked }))
    return { error, page: page ?? null }
  },
  async replies(commentId, cursor) {
    const [, page] = await safe(client.community.getReplies({ commentId, cursor }))
    return page ?? null
  },
})

type Reading = {
  post: Post
  /** To begin with. */
  linkedId?: string
  onCount: (postId: string, count: number) => void
}

/** The comments of a post: what was loaded of them, and what happens meanwhile. */
export function useComments({ post, linkedId, onCount }: Reading) {
  const { id: postId, courseId } = post
  const [state, take] = useReducer(changeComments, null, () => keptOf(postId))
  const [readings] = useState(createReadings)
  const change = useCallback(
    (made: CommentsChange) => readings.happened(() => take(made)),
    [readings],
  )
  const [times, setTimes] = useState(1)
  const [done, setDone] = useState<{ times: number; hasFailed: boolean; refusal: string | null }>()
  const [isLinkedGone, setLinkedGone] = useState(false)
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const likes = useCommentLikes(change)

  useEffect(() => {
    if (state) keep(postId, state)
  }, [postId, state])

  const read = useEffectEvent((id: string) => readFromStart(callsOf(id), state, linkedId))
  const takePage = useEffectEvent((page: CommentPage, beyond: Beyond) => {
    // Who deletes it here, or sees it go, needs no word.
    if (times === 1) setLinkedGone(linkedId !== undefined && !isIn(page, linkedId))
    take(state ? { type: 'lookedAgain', page, beyond } : { type: 'shown', page })
    onCount(postId, page.commentsCount)
  })
  useEffect(() => {
    let isStill = true
    void readings.read(read(postId), ({ page, error, beyond }) => {
      if (!isStill) return
      const refusal = error instanceof ORPCError && error.status < 500 ? error.message : null
      setDone({ times, hasFailed: page === null, refusal })
      if (page) takePage(page, beyond)
    })
    return () => {
      isStill = false
    }
  }, [postId, times, readings])
  const readAgain = () => setTimes((before) => before + 1)
  const hasFailed = done?.times === times && done.hasFailed

  async function loadMore() {
    const after = state?.nextCursor
    if (!after || more === 'loading') return
    setMore('loading')
    await readings.read(callsOf(postId).page({ cursor: after }), ({ page }) => {
      setMore(page ? 'idle' : 'failed')
      if (page) take({ type: 'continued', after, page })
    })
  }

  /** False when they could not be loaded. */
  async function loadReplies(threadId: string, cursor: string): Promise<boolean> {
    const asked = safe(client.community.getReplies({ commentId: threadId, cursor }))
    const [error] = await readings.read(asked, ([, page]) => {
      if (page) take({ type: 'replies', threadId, page })
    })
    return !error
  }

  const readOne = (commentId: string, isNew: boolean) =>
    readings.read(safe(client.community.getComments({ postId, only: commentId })), ([, page]) => {
      if (page) change({ type: 'told', commentId, thread: page.linked, isNew })
    })
  const readNew = useReadSoon((ids) => void Promise.all(ids.map((id) => readOne(id, true))))
  const readChanged = useReadSoon((ids) => void Promise.all(ids.map((id) => readOne(id, false))))

  /** Whether its place is kept, the server knows. */
  async function afterDeletion(commentId: string) {
    const asked = safe(client.community.getComments({ postId, only: commentId }))
    await readings.read(asked, ([, page]) => {
      if (!page) return change({ type: 'removed', commentId })
      readings.happened(() => onCount(postId, page.commentsCount))
      return change({ type: 'told', commentId, thread: page.linked, isNew: false })
    })
  }

  function onEvent(event: LiveEvent) {
    if (!('postId' in event) || event.postId !== postId) return
    if (event.type === 'likes' && event.commentId !== null) {
      change({ ...event, commentId: event.commentId, type: 'likesCount' })
    }
    if (event.type !== 'comment') return
    const { commentId, commentsCount } = event
    readings.happened(() => onCount(postId, commentsCount))
    if (event.change === 'created') readNew(commentId)
    else if (event.change === 'changed') readChanged(commentId)
    else change({ type: 'removed', commentId })
  }
  useLiveEvents({ courseId, onEvent, onGap: readAgain })

  return {
    state,
    change,
    hasFailed,
    /** Why there is nothing to read: the post may be gone. */
    refusal: done?.refusal ?? null,
    /** What one was led to is not there. */
    isLinkedGone,
    readAgain,
    more,
    loadMore,
    loadReplies,
    afterDeletion,
    ...likes,
  }
}

type Change = (made: CommentsChange) => void

/** As with posts: shown at once, taken back when refused, one call at a time for each comment. */
function useCommentLikes(change: Change) {
  const wanted = useRef(new Map<string, boolean>())
  const [likeProblem, setLikeProblem] = useState<string | null>(null)

  async function toggleLike({ id: commentId, liked, likesCount }: Comment) {
    const isUnderWay = wanted.current.has(commentId)
    wanted.current.set(commentId, !liked)
    setLikeProblem(null)
    change({ type: 'like', commentId, liked: !liked })
    if (isUnderWay) return
    let settled = { liked, likesCount }
    for (;;) {
      const asked = wanted.current.get(commentId) ?? liked
      // One after the other: the last wish counts.
      // oxlint-disable-next-line no-await-in-loop
      const [error, answer] = await safe(client.community.likeComment({ commentId, liked: asked }))
      if (answer) settled = answer
      if (!error && wanted.current.get(commentId) !== asked) continue
      wanted.current.delete(commentId)
      change({ type: 'likeSettled', commentId, ...settled })
      if (error) setLikeProblem(callProblem(error, notLiked))
      return
    }
  }

  return { toggleLike, likeProblem }
}
