import { Ellipsis, Flag, Link2, Pencil, Reply, Trash2 } from 'lucide-react'
import { buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Menu, MenuButton, MenuSeparator } from '../../../ui/menu.tsx'
import type { Comment, CommunityRights } from '../schema.ts'
import { AuthorLine } from './author-line.tsx'
import { CommentForm } from './comment-form.tsx'
import { feedButton, LikeButton } from './like-button.tsx'
import { PostText } from './post-text.tsx'

export interface CommentActions {
  onLike: (comment: Comment) => void
  onReply: (comment: Comment) => void
  onEdit: (comment: Comment | null) => void
  /** Answers why it could not be saved; null when it was. */
  onSave: (comment: Comment, content: string) => Promise<string | null>
  /** Of a form that has gone meanwhile: what did not happen, and why. */
  onLateRefusal: (what: string, problem: string) => void
  onDelete: (comment: Comment) => void
  /** Null where nothing can be reported. */
  onReport: ((comment: Comment) => void) | null
  onCopyLink: (comment: Comment) => void
}

type CommentItemProps = {
  slug: string
  comment: Comment
  rights: CommunityRights
  /** Whom a reply to a reply answers; null where that is the thread itself. */
  answered: string | null
  isLinked: boolean
  isEditing: boolean
  actions: CommentActions
}

/** What stands where a comment was. */
const gone = {
  deleted: 'This comment was deleted.',
  hidden: 'This comment was removed by a moderator.',
}

/** One comment or reply. It can have the focus, so that the keyboard goes on from here. */
export function CommentItem({
  slug,
  comment,
  rights,
  answered,
  isLinked,
  isEditing,
  actions,
}: CommentItemProps) {
  const { id, author, status, createdAt, updatedAt } = comment
  const look = cn(
    'grid grid-cols-1 gap-2 rounded-card px-3 py-2.5 -mx-3 scroll-my-6',
    isLinked && 'bg-wash ring-2 ring-primary/45 ring-inset',
  )
  if (!author || status !== 'published') {
    return (
      <article id={id} data-comment tabIndex={-1} aria-label="Removed comment" className={look}>
        <p className="text-muted italic">{gone[status === 'hidden' ? 'hidden' : 'deleted']}</p>
      </article>
    )
  }
  return (
    <article
      id={id}
      data-comment
      tabIndex={-1}
      aria-label={`${comment.threadId ? 'Reply' : 'Comment'} by ${author.name}`}
      className={look}
    >
      <div className="flex items-start justify-between gap-2">
        <AuthorLine author={author} createdAt={createdAt} edited={updatedAt !== createdAt} />
        <CommentMenu comment={comment} rights={rights} actions={actions} />
      </div>
      {answered && (
        <p className="text-sm text-muted wrap-anywhere">
          Replying to <bdi className="font-semibold">{answered}</bdi>
        </p>
      )}
      {isEditing ? (
        <CommentForm
          ref={focusAtEnd}
          slug={slug}
          draft={`edit ${id}`}
          about={comment}
          saved={comment.content}
          label="Edit your comment"
          sendLabel="Save"
          busyLabel="Saving..."
          onSend={(content) => actions.onSave(comment, content)}
          onLateRefusal={(problem) => actions.onLateRefusal('Your change was not saved', problem)}
          onCancel={() => actions.onEdit(null)}
        />
      ) : (
        <>
          <PostText text={comment.content} mentions={comment.mentions} />
          <div className="-mx-3 -mb-1.5 flex items-center gap-1">
            <LikeButton
              label={`Like this ${comment.threadId ? 'reply' : 'comment'}`}
              liked={comment.liked}
              count={comment.likesCount}
              disabled={!rights.canPost}
              onToggle={() => actions.onLike(comment)}
            />
            {rights.canPost && (
              <button type="button" className={feedButton} onClick={() => actions.onReply(comment)}>
                <Reply size={18} aria-hidden />
                Reply
              </button>
            )}
          </div>
        </>
      )}
    </article>
  )
}

/** For a field that appears because somebody asked for it. */
export function focusAtEnd(area: HTMLTextAreaElement | null) {
  if (!area) return
  area.focus()
  area.setSelectionRange(area.value.length, area.value.length)
}

type CommentMenuProps = { comment: Comment; rights: CommunityRights; actions: CommentActions }

function CommentMenu({ comment, rights, actions }: CommentMenuProps) {
  const { onReport } = actions
  return (
    <Menu
      label={`Options of the ${comment.threadId ? 'reply' : 'comment'} by ${comment.author?.name}`}
      trigger={<Ellipsis size={18} aria-hidden />}
      triggerClassName={cn(buttonClass({ variant: 'ghost', size: 'icon-sm' }), 'text-muted')}
      panelClassName="w-56"
    >
      {comment.isOwn && rights.canPost && (
        <MenuButton onClick={() => actions.onEdit(comment)}>
          <Pencil aria-hidden />
          Edit Comment
        </MenuButton>
      )}
      <MenuButton onClick={() => actions.onCopyLink(comment)}>
        <Link2 aria-hidden />
        Copy Link
      </MenuButton>
      {!comment.isOwn && onReport && (
        <MenuButton onClick={() => onReport(comment)}>
          <Flag aria-hidden />
          Report Comment
        </MenuButton>
      )}
      {(comment.isOwn || rights.canModerate) && (
        <>
          <MenuSeparator />
          <MenuButton tone="danger" onClick={() => actions.onDelete(comment)}>
            <Trash2 aria-hidden />
            Delete Comment
          </MenuButton>
        </>
      )}
    </Menu>
  )
}
