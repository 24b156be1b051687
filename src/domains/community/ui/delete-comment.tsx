import { ORPCError, safe } from '@orpc/client'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { client } from '../../../web/api-client.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import type { Comment } from '../schema.ts'

const failed = 'Failed to delete comment. Please try again.'

/** Null when it is gone. */
async function deleteComment(commentId: string): Promise<string | null> {
  const [error] = await safe(client.community.deleteComment({ commentId }))
  // Somebody else was faster.
  const isGone = error instanceof ORPCError && error.code === 'NOT_FOUND'
  return error && !isGone ? refusalProblem(error, failed) : null
}

type DeleteCommentProps = { comment: Comment; onClose: () => void; onDeleted: () => void }

export function DeleteComment({ comment, onClose, onDeleted }: DeleteCommentProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function confirm() {
    setBusy(true)
    setProblem(null)
    const refused = await deleteComment(comment.id)
    setBusy(false)
    setProblem(refused)
    if (refused === null) onDeleted()
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Delete Comment"
      description="Are you sure you want to delete this comment?"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      busy={busy}
      error={problem}
      onConfirm={() => void confirm()}
    />
  )
}
