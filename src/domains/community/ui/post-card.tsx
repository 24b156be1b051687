import { Hash, Megaphone, MessageCircle, Pin } from 'lucide-react'
import { memo, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import type { CommunityRights, Poll, Post } from '../schema.ts'
import { AuthorLine } from './author-line.tsx'
import { foldText } from './fold-text.ts'
import { feedButton, LikeButton } from './like-button.tsx'
import { PostMenu, type PostMenuActions } from './post-menu.tsx'
import { PostParts } from './post-parts.tsx'
import { PostText } from './post-text.tsx'
import type { TellProblem } from './use-likes.ts'

export interface PostActions extends PostMenuActions {
  /** With where to say that it failed, when that is not among toasts. */
  onLike: (post: Post, tell?: TellProblem) => void
  onComments: (post: Post) => void
  onPoll: (postId: string, poll: Poll) => void
}

type PostCardProps = { slug: string; post: Post; rights: CommunityRights; actions: PostActions }

/** One post with all that belongs to it. */
export const PostCard = memo(function PostCard({ slug, post, rights, actions }: PostCardProps) {
  const { author, createdAt, updatedAt } = post
  return (
    <Card
      as="article"
      id={post.id}
      tabIndex={-1}
      aria-label={`Post by ${author.name}`}
      className="grid scroll-mt-24 grid-cols-1 gap-4"
    >
      <div className="flex items-start justify-between gap-3">
        <AuthorLine
          author={author}
          createdAt={createdAt}
          edited={updatedAt !== createdAt}
          extra={<PostMarks post={post} />}
        />
        <PostMenu slug={slug} post={post} rights={rights} {...actions} />
      </div>
      <FoldedText post={post} />
      <PostParts
        post={post}
        canVote={rights.canPost}
        onPoll={(changed) => actions.onPoll(post.id, changed)}
      />
      <div className="-mx-3 -mb-2 flex items-center gap-1">
        <LikeButton
          label="Like this post"
          liked={post.liked}
          count={post.likesCount}
          disabled={!rights.canPost}
          onToggle={() => actions.onLike(post)}
        />
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => actions.onComments(post)}
          className={feedButton}
        >
          <MessageCircle size={18} aria-hidden />
          {commentsLabel(post.commentsCount)}
        </button>
      </div>
    </Card>
  )
})

const commentsLabel = (count: number) =>
  count === 0 ? 'Comment' : count === 1 ? '1 comment' : `${count.toLocaleString('en')} comments`

function PostMarks({ post }: { post: Post }) {
  return (
    <>
      {post.channel && (
        <span className="inline-flex items-center gap-0.5 wrap-anywhere">
          <Hash size={14} aria-hidden className="shrink-0" />
          <span className="sr-only">in the channel </span>
          {post.channel.name}
        </span>
      )}
      {post.isAnnouncement && (
        <Badge tone="primary">
          <Megaphone aria-hidden /> Announcement
        </Badge>
      )}
      {post.isPinned && (
        <Badge tone="neutral">
          <Pin aria-hidden /> Pinned
        </Badge>
      )}
    </>
  )
}

/** A long text begins folded. */
function FoldedText({ post }: { post: Post }) {
  const [isOpen, setOpen] = useState(false)
  const folded = foldText(post.content)
  if (folded === null) return <PostText text={post.content} mentions={post.mentions} />
  return (
    <div className="grid justify-items-start gap-2">
      <PostText text={isOpen ? post.content : folded} mentions={post.mentions} />
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-my-2 min-h-10 rounded-sm text-sm font-semibold text-primary hover:underline"
      >
        {isOpen ? 'Show less' : 'Show more'}
      </button>
    </div>
  )
}
