import { safe } from '@orpc/client'
import { CalendarClock, Megaphone } from 'lucide-react'
import { useRef, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { client } from '../../../web/api-client.ts'
import { useAnswer } from '../../../web/use-answer.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { callProblem, refusalProblem } from '../../courses/ui/call-problem.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import type { Post } from '../schema.ts'
import { LocalTime } from '../../../ui/local-time.tsx'
import { ProHint } from './pro-hint.tsx'

type ScheduledPostsProps = {
  courseId: string
  hasAdvanced: boolean
  /** Opens the composer with it; the list is closed before. */
  onEdit: (post: Post) => void
  /** It is in the feed from now on. */
  onPublished: (post: Post) => void
  onClose: () => void
}

/** What the instructor wrote for later: to change, publish now, or delete. */
export function ScheduledPosts({
  courseId,
  hasAdvanced,
  onEdit,
  onPublished,
  onClose,
}: ScheduledPostsProps) {
  const { posts, hasFailed, again, drop } = useScheduled(courseId)
  const part = useRef<HTMLDivElement>(null)

  function without(postId: string) {
    drop(postId)
    // What had the focus is gone with it.
    part.current?.focus()
  }

  return (
    <Dialog
      open
      size="md"
      onOpenChange={(open) => !open && onClose()}
      title="Scheduled posts"
      description="Only you see them until their time comes."
    >
      <div ref={part} tabIndex={-1} className="grid gap-4 outline-none">
        {hasFailed && !posts && (
          <ErrorState
            level={3}
            title="Could not load your scheduled posts"
            description="Please check your connection and try again."
            onRetry={again}
          />
        )}
        {!posts && !hasFailed && <Waiting />}
        {posts?.length === 0 && <Nothing hasAdvanced={hasAdvanced} />}
        {posts && posts.length > 0 && (
          <ul aria-label="Scheduled posts" className="grid gap-3">
            {posts.map((post) => (
              <ScheduledPost
                key={post.id}
                post={post}
                onEdit={() => {
                  onClose()
                  onEdit(post)
                }}
                onPublished={(published) => {
                  without(published.id)
                  onPublished(published)
                }}
                onDeleted={() => without(post.id)}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

function useScheduled(courseId: string) {
  const { answer, hasFailed, again } = useAnswer(courseId, () =>
    client.community.getScheduledPosts({ courseId }),
  )
  const [gone, setGone] = useState<string[]>([])
  // One that is published by its time leaves the list.
  useLiveEvents({
    courseId,
    onEvent: (event) => {
      if (event.type === 'post' && event.courseId === courseId) again()
    },
    onGap: again,
  })
  return {
    posts: answer && answer.posts.filter(({ id }) => !gone.includes(id)),
    hasFailed,
    again,
    drop: (postId: string) => setGone([...gone, postId]),
  }
}

function Waiting() {
  return (
    <Loading className="grid gap-3">
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-28 w-full" />
    </Loading>
  )
}

function Nothing({ hasAdvanced }: { hasAdvanced: boolean }) {
  return (
    <EmptyState
      level={3}
      icon={CalendarClock}
      title="Nothing is scheduled"
      description={
        hasAdvanced && 'Tick “Schedule” when you write a post, and choose when it is published.'
      }
      action={!hasAdvanced && <ProHint>Scheduled posts are a Pro benefit.</ProHint>}
      className="py-8 sm:py-10"
    />
  )
}

type ScheduledPostProps = {
  post: Post
  onEdit: () => void
  onPublished: (post: Post) => void
  onDeleted: () => void
}

function ScheduledPost({ post, onEdit, onPublished, onDeleted }: ScheduledPostProps) {
  const [busy, setBusy] = useState<'publish' | 'delete' | null>(null)
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { id: postId } = post

  async function publish() {
    setBusy('publish')
    setProblem(null)
    const [error, published] = await safe(client.community.publishPost({ postId }))
    setBusy(null)
    if (error) setProblem(callProblem(error, 'Failed to publish the post. Please try again.'))
    else onPublished(published)
  }

  async function remove() {
    setBusy('delete')
    setProblem(null)
    const [error] = await safe(client.community.deletePost({ postId }))
    setBusy(null)
    if (error) {
      return setProblem(refusalProblem(error, 'Failed to delete post. Please try again.'))
    }
    setAsking(false)
    onDeleted()
  }

  return (
    <li className="grid gap-3 rounded-card border p-4">
      <div className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        <CalendarClock size={16} aria-hidden className="text-muted" />
        {post.scheduledFor && <LocalTime at={post.scheduledFor} withZone />}
        {post.channel && <Badge>{post.channel.name}</Badge>}
        {post.isAnnouncement && (
          <Badge tone="primary">
            <Megaphone aria-hidden />
            Announcement
          </Badge>
        )}
      </div>
      <p className="line-clamp-4 wrap-anywhere whitespace-pre-line">{post.content}</p>
      <Parts post={post} />
      {problem && !asking && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" busy={busy === 'publish'} onClick={() => void publish()}>
          Publish now
        </Button>
        <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete post"
        description="Are you sure you want to delete this post?"
        confirmLabel="Delete"
        busyLabel="Deleting..."
        busy={busy === 'delete'}
        error={problem}
        onConfirm={() => void remove()}
      />
    </li>
  )
}

function Parts({ post }: { post: Post }) {
  const parts = [
    post.attachments.length > 0 && countLabel(post.attachments.length, 'attachment'),
    post.poll && `Poll with ${post.poll.options.length} answers`,
  ].filter(Boolean)
  return parts.length > 0 && <p className="text-sm text-muted">{parts.join(' · ')}</p>
}
