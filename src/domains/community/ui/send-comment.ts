import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { doneOnce } from '../../../web/done-once.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import type { Comment } from '../schema.ts'

type Sent = { comment: Comment; refused: null } | { comment: null; refused: string }

const notCreated = 'Failed to create comment. Please try again.'
const notReplied = 'Failed to create reply. Please try again.'
const notSaved = 'Failed to update comment. Please try again.'
const sentAlready = 'Your comment was made already. Load the page again to see it.'

type Once = ReturnType<typeof doneOnce>
/** By what is answered: several can be on their way, and what was begun outlives its form. */
const attempts = new Map<string, Once>()

function attemptsAt(place: string): Once {
  const once = attempts.get(place) ?? doneOnce()
  attempts.set(place, once)
  return once
}

export async function sendComment(
  postId: string,
  parent: Comment | null,
  content: string,
): Promise<Sent> {
  const draft = { postId, content, parentId: parent?.id ?? null }
  const once = attemptsAt(parent?.id ?? postId)
  const [error, comment] = await safe(
    once(draft, (idempotencyKey) =>
      client.community.createComment(draft, { context: { idempotencyKey } }),
    ),
  )
  if (!error) return { comment, refused: null }
  const failed = parent ? notReplied : notCreated
  return { comment: null, refused: refusalProblem(error, failed, sentAlready) }
}

export async function saveComment(commentId: string, content: string): Promise<Sent> {
  const [error, comment] = await safe(client.community.updateComment({ commentId, content }))
  if (!error) return { comment, refused: null }
  return { comment: null, refused: refusalProblem(error, notSaved) }
}
