import { Suspense } from 'react'
import { laterPart } from '../../../ui/later-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Attachment, Poll, Post } from '../schema.ts'

// Fetched with the first post that has some.
const PostAttachments = laterPart(
  async () => (await import('./post-attachments.tsx')).PostAttachments,
)
const PostPoll = laterPart(async () => (await import('./post-poll.tsx')).PostPoll)

const Coming = () => <Skeleton className="h-40 w-full" />

type PostPartsProps = { post: Post; canVote: boolean; onPoll: (poll: Poll) => void }

/** What stands below the text of a post. */
export function PostParts({ post, canVote, onPoll }: PostPartsProps) {
  const { attachments, author, poll } = post
  if (attachments.length === 0 && !poll) return null
  return (
    <Suspense fallback={<Coming />}>
      {attachments.length > 0 && <PostAttachments attachments={attachments} author={author.name} />}
      {poll && <PostPoll post={post} canVote={canVote} onPoll={onPoll} />}
    </Suspense>
  )
}

type AttachmentsOnlyProps = { attachments: Attachment[]; author: string }

/** For who looks at a post that can be hidden by now. */
export const AttachmentsOnly = (props: AttachmentsOnlyProps) => (
  <Suspense fallback={<Coming />}>
    <PostAttachments {...props} />
  </Suspense>
)
