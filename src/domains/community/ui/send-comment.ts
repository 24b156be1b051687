import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import type { Comment } from '../schema.ts'

type Sent = { comment: Comment; refused: null } | { comment: null; refused: string }

const notCreated = 'Failed to create comment. Please try again.'
const notReplied = 'Failed to create reply. Please try again.'
const notSaved = 'Failed to update comment. Please try again.'

export async function sendComment(
  postId: string,
  parent: Comment | null,
  content: string,
): Promise<Sent> {
  const draft = { postId, content, parentId: parent?.id ?? null }
  const [error, comment] = await safe(client.community.createComment(draft))
  if (!error) return { comment, refused: null }
  return { comment: null, refused: refusalProblem(error, parent ? notReplied : notCreated) }
}

export async function saveComment(commentId: string, content: string): Promise<Sent> {
  const [error, comment] = await safe(client.community.updateComment({ commentId, content }))
  if (!error) return { comment, refused: null }
  return { comment: null, refused: refusalProblem(error, notSaved) }
}
