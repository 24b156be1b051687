import { ORPCError, safe } from '@orpc/client'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { client } from '../../../web/api-client.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import type { Post } from '../schema.ts'

const failed = 'Failed to delete post. Please try again.'

/** Null when it is gone. */
async function deletePost(postId: string): Promise<string | null> {
  const [error] = await safe(client.community.deletePost({ postId }))
  if (!error) return null
  // Somebody else was faster.
  const isGone = error instanceof ORPCError && error.code === 'NOT_FOUND'
  return isGone ? null : refusalProblem(error, failed)
}

type DeletePostProps = { post: Post; onClose: () => void; onDeleted: () => void }

export function DeletePost({ post, onClose, onDeleted }: DeletePostProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function confirm() {
    setBusy(true)
    setProblem(null)
    const refused = await deletePost(post.id)
    setBusy(false)
    setProblem(refused)
    if (refused === null) onDeleted()
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Delete Post"
      description="Are you sure you want to delete this post?"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      busy={busy}
      error={problem}
      onConfirm={() => void confirm()}
    />
  )
}
