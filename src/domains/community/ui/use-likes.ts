import { useRef } from 'react'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import { toast } from '../../../ui/toast.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { Post } from '../schema.ts'
import type { FeedChange } from './feed-state.ts'

const notLiked = 'Your like could not be saved. Please check your connection and try again.'

/** Says why it failed. */
export type TellProblem = (problem: string) => void

const tellByToast: TellProblem = (problem) => void toast.error(problem)

/**
 * Likes show at once and are taken back when the server refuses them. Of each post one call is on its way at a
 * time; who changes their mind meanwhile is followed by another one.
 */
export function useLikes(change: (change: FeedChange) => void) {
  const wanted = useRef(new Map<string, boolean>())

  return async function toggleLike(
    { id: postId, liked, likesCount }: Post,
    tell: TellProblem = tellByToast,
  ) {
    const isUnderWay = wanted.current.has(postId)
    wanted.current.set(postId, !liked)
    change({ type: 'like', postId, liked: !liked })
    if (isUnderWay) return
    let settled = { liked, likesCount }
    for (;;) {
      const asked = wanted.current.get(postId) ?? liked
      // One after the other: the last wish counts.
      // oxlint-disable-next-line no-await-in-loop
      const [error, answer] = await safe(client.community.likePost({ postId, liked: asked }))
      if (answer) settled = answer
      if (!error && wanted.current.get(postId) !== asked) continue
      wanted.current.delete(postId)
      change({ type: 'likeSettled', postId, ...settled })
      if (error) tell(callProblem(error, notLiked))
      return
    }
  }
}
