import { MessagesSquare } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import type { Feed, Post } from '../schema.ts'
import { EditPlace } from './edit-place.tsx'
import { type PostActions, PostCard } from './post-card.tsx'

type PostListProps = {
  feed: Feed
  posts: Post[]
  /** The post that is being edited, and its form, which stands in its place. */
  editing: { id: string; home: HTMLElement } | null
  actions: PostActions
}

export function PostList({ feed, posts, editing, actions }: PostListProps) {
  return (
    <ul aria-label="Posts" className="grid grid-cols-1 gap-4 sm:gap-5">
      {posts.map((post) => (
        <li key={post.id}>
          {post.id === editing?.id ? (
            <EditPlace id={post.id} home={editing.home} />
          ) : (
            <PostCard slug={feed.course.slug} post={post} rights={feed.rights} actions={actions} />
          )}
        </li>
      ))}
    </ul>
  )
}

type EndOfListProps = {
  hasMore: boolean
  more: 'idle' | 'loading' | 'failed'
  onMore: () => void
}

/** Goes on by itself when the end comes near, and by a press. */
export function EndOfList({ hasMore, more, onMore }: EndOfListProps) {
  const near = useRef<HTMLDivElement>(null)
  const goOn = useEffectEvent(onMore)
  const goesOn = hasMore && more === 'idle'

  useEffect(() => {
    const end = near.current
    if (!end || !goesOn) return
    const watching = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) goOn()
      },
      { rootMargin: '0px 0px 600px' },
    )
    watching.observe(end)
    return () => watching.disconnect()
  }, [goesOn])

  if (!hasMore) {
    return <p className="pt-7 pb-2 text-center text-sm text-muted">You have seen all posts.</p>
  }
  return (
    <div ref={near} className="grid gap-4 pt-5">
      {more === 'loading' && <PostSkeletons count={1} />}
      {more === 'failed' && (
        <Banner tone="danger">More posts could not be loaded. Please check your connection.</Banner>
      )}
      <Button
        variant="secondary"
        busy={more === 'loading'}
        busyText="Loading..."
        onClick={onMore}
        className="w-fit justify-self-center"
      >
        {more === 'failed' ? 'Try again' : 'Load More'}
      </Button>
    </div>
  )
}

export function PostSkeletons({ count }: { count: number }) {
  return (
    <Loading label="Loading posts…" className="grid gap-4 sm:gap-5">
      {Array.from({ length: count }, (_, n) => (
        <Card key={n} className="grid gap-4">
          <div className="flex items-center gap-3">
            <Skeleton className="size-10 rounded-full" />
            <div className="grid flex-1 gap-2">
              <Skeleton className="w-40" />
              <Skeleton className="h-3 w-20" />
            </div>
          </div>
          <Skeleton className="w-full" />
          <Skeleton className="w-3/4" />
        </Card>
      ))}
    </Loading>
  )
}

type NoPostsProps = { feed: Feed; channelId: string | null }

function invitationToWrite({ canPost, canManage }: Feed['rights']): string {
  if (canManage) {
    return 'Say hello, and ask your members what brought them here. Members see new posts here right away.'
  }
  return canPost
    ? 'Ask a question, or tell the others what you are working on.'
    : 'Members of the course and its instructor write here.'
}

export function NoPosts({ feed, channelId }: NoPostsProps) {
  const { community_writing: off } = useSwitchedOff()
  const channel = feed.channels.find(({ id }) => id === channelId)
  return (
    <EmptyState
      level={3}
      icon={MessagesSquare}
      title={
        channel ? (
          <span className="wrap-anywhere">No posts in “{channel.name}” yet</span>
        ) : (
          'No posts yet'
        )
      }
      // Nobody is asked to do what cannot be done; why it cannot stands above.
      description={off ? undefined : invitationToWrite(feed.rights)}
    />
  )
}
