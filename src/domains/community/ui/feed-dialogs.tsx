import { LaterDialog } from '../../../ui/later-dialog.tsx'
import type { Feed, Post } from '../schema.ts'
import type { PostActions } from './post-card.tsx'

const loadDelete = () => import('./delete-post.tsx')
const loadComments = () => import('./comments-dialog.tsx')
const loadReport = () => import('../../moderation/ui/report-dialog.tsx')

export interface OpenDialog {
  type: 'comments' | 'delete' | 'report'
  post: Post
  /** To begin with. */
  commentId?: string
  /** By the address, so that all of the post is to be seen there: it may stand in no list. */
  isLinked?: boolean
}

type FeedDialogsProps = {
  feed: Feed
  dialog: OpenDialog | null
  /** What can be done with a post that the address named. */
  linkedActions: PostActions
  onClose: () => void
  onDeleted: (post: Post) => void
  onCount: (postId: string, count: number) => void
}

/** What opens over the feed; one at a time. */
export function FeedDialogs({
  feed,
  dialog,
  linkedActions,
  onClose,
  onDeleted,
  onCount,
}: FeedDialogsProps) {
  if (!dialog) return null
  const { type, post, commentId, isLinked } = dialog
  switch (type) {
    case 'delete':
      return (
        <LaterDialog load={loadDelete} onFailed={onClose}>
          {({ DeletePost }) => (
            <DeletePost post={post} onClose={onClose} onDeleted={() => onDeleted(post)} />
          )}
        </LaterDialog>
      )
    case 'report':
      return (
        <LaterDialog load={loadReport} onFailed={onClose}>
          {({ ReportDialog }) => <ReportDialog subject={{ postId: post.id }} onClose={onClose} />}
        </LaterDialog>
      )
    case 'comments':
      return (
        <LaterDialog load={loadComments} onFailed={onClose}>
          {({ CommentsDialog }) => (
            <CommentsDialog
              key={`${post.id} ${commentId}`}
              slug={feed.course.slug}
              post={post}
              rights={feed.rights}
              commentId={commentId}
              actions={isLinked ? linkedActions : null}
              onClose={onClose}
              onCount={onCount}
            />
          )}
        </LaterDialog>
      )
  }
}
