import { useLayoutEffect, useRef, useState } from 'react'
import type { PostActions } from './post-card.tsx'

/** The same functions every time, so that only the post that changed is drawn again. */
export function usePostActions(actions: PostActions): PostActions {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const [stable] = useState<PostActions>(() => ({
    onLike: (post) => latest.current.onLike(post),
    onPin: (post) => latest.current.onPin(post),
    onComments: (post) => latest.current.onComments(post),
    onDelete: (post) => latest.current.onDelete(post),
    onReport: (post) => latest.current.onReport(post),
    onEdit: (post) => latest.current.onEdit(post),
    onPoll: (postId, poll) => latest.current.onPoll(postId, poll),
  }))
  return stable
}
