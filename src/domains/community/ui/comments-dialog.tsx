import { ArrowDown, MessageCircle, X } from 'lucide-react'
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useLatest } from '../../../ui/use-latest.ts'
import { SignedOutNotice } from '../../../web/signed-out-notice.tsx'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { ReportDialog } from '../../moderation/ui/report-dialog.tsx'
import { useReadAbout } from '../../notifications/ui/read-about.ts'
import { postPath } from '../rules.ts'
import type { Comment, CommunityRights, Post } from '../schema.ts'
import { AuthorLine } from './author-line.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentThread, type ThreadContext } from './comment-thread.tsx'
import { isRemoved } from './comments-state.ts'
import { copyCommentLink, focusComment, focusedAfter } from './comment-places.ts'
import { DeleteComment } from './delete-comment.tsx'
import { LikeButton } from './like-button.tsx'
import type { PostActions } from './post-card.tsx'
import { PostMenu } from './post-menu.tsx'
import { PostParts } from './post-parts.tsx'
import { PostText } from './post-text.tsx'
import { saveComment, sendComment } from './send-comment.ts'
import { useComments } from './use-comments.ts'
import { useSavedWords } from './use-saved-words.ts'
import { useVisibleHeight } from './use-visible-height.ts'

type CommentsDialogProps = {
  slug: string
  post: Post
  rights: CommunityRights
  /** To begin with. */
  commentId?: string
  /** Where all of the post is shown, and something can be done with it; null where it stands in the list below. */
  actions: PostActions | null
  onClose: () => void
  onCount: (postId: string, count: number) => void
}

type Asking = { about: Comment; to: 'delete' | 'report' }

/** What members say to a post. On phones it fills the screen. */
export function CommentsDialog({
  slug,
  post,
  rights: ownRights,
  commentId: linkedId,
  actions,
  onClose,
  onCount,
}: CommentsDialogProps) {
  const isHidden = post.status === 'hidden'
  const rights = isHidden ? { ...ownRights, canPost: false, canManage: false } : ownRights
  const comments = useComments({ post, linkedId, onCount })
  const { state, change } = comments
  const { community_writing: off } = useSwitchedOff()
  const [replyingTo, setReplyingTo] = useState<Comment | null>(null)
  const [editing, setEditing] = useState<Comment | null>(null)
  const latest = useLatest({ replyingTo, editing })
  const [asking, setAsking] = useState<Asking | null>(null)
  const [sending, setSending] = useState(0)
  const [said, setSaid] = useState<string | null>(null)
  const [likeProblem, setLikeProblem] = useState<string | null>(null)
  const [late, setLate] = useState<{ what: string; problem: string } | null>(null)
  const draft = `post ${post.id}`
  const isOver = (of: Comment | null) => of !== null && state !== null && isRemoved(state, of)
  const answered = isOver(replyingTo) ? null : replyingTo
  const changed = isOver(editing) ? null : editing
  const field = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const isEndSeen = useIsSeen(end, () => change({ type: 'seen' }))
  useReadAbout(postPath(slug, post.id))
  useFirstFocus({ linkedId, isThere: state !== null, field })
  const savedWords = useSavedWords({
    postId: post.id,
    // What is on its way may have arrived before.
    state: sending === 0 ? state : null,
    into: draft,
    field,
  })

  /** What was begun is not opened anew before it is known whether it was sent. */
  async function whileOpen<Answer>(answer: Promise<Answer>): Promise<Answer> {
    setSending((count) => count + 1)
    setLate(null)
    savedWords.said()
    try {
      return await answer
    } finally {
      setSending((count) => count - 1)
    }
  }

  async function send(parent: Comment | null, content: string): Promise<string | null> {
    const { refused, comment } = await whileOpen(sendComment(post.id, parent, content))
    if (!comment) return refused
    change({ type: 'written', comment })
    // Where it was written is where one goes on writing; a reply's field is gone.
    if (parent === null) focusComment(comment.id, 'show')
    else if (latest.current.replyingTo?.id === parent.id) {
      setReplyingTo(null)
      focusComment(comment.id, 'focus')
    }
    return null
  }

  /** The form has gone: another one was opened, or all of this was closed. */
  function tellLate(what: string, problem: string) {
    if (list.current) setLate({ what, problem })
    else void toast.error(`${what}. ${problem}`)
  }

  function likePost(liked: Post) {
    setLikeProblem(null)
    actions?.onLike(liked, (problem) =>
      // Toasts lie under this dialog.
      list.current ? setLikeProblem(problem) : void toast.error(problem),
    )
  }

  function endReply() {
    if (replyingTo) focusComment(replyingTo.id, 'focus')
    setReplyingTo(null)
  }

  /** Another one may be edited by now. */
  function endEdit(id: string) {
    if (latest.current.editing?.id !== id) return
    setEditing(null)
    focusComment(id, 'focus')
  }

  async function onDeleted(comment: Comment) {
    const next = focusedAfter(list.current, comment.id)
    setAsking(null)
    await comments.afterDeletion(comment.id)
    if (next) focusComment(next, 'focus')
    else requestAnimationFrame(() => field.current?.focus())
  }

  const context: ThreadContext = {
    slug,
    rights,
    linkedId,
    editingId: changed?.id ?? null,
    replyingTo: answered,
    onReplyEnd: endReply,
    onSendReply: send,
    loadReplies: comments.loadReplies,
    actions: {
      onLike: (comment) => void comments.toggleLike(comment),
      onReply: setReplyingTo,
      onEdit: (comment) => {
        if (comment) setEditing(comment)
        else if (editing) endEdit(editing.id)
      },
      onSave: async ({ id }, content) => {
        const { refused, comment } = await whileOpen(saveComment(id, content))
        if (!comment) return refused
        change({ type: 'edited', comment })
        endEdit(id)
        return null
      },
      onLateRefusal: tellLate,
      onDelete: (about) => setAsking({ about, to: 'delete' }),
      onReport: isHidden ? null : (about) => setAsking({ about, to: 'report' }),
      onCopyLink: async ({ id }) => setSaid(await copyCommentLink(slug, post.id, id)),
    },
  }
  const problem = comments.likeProblem ?? likeProblem

  return (
    <>
      <Sheet title="Comments" locked={sending > 0} onClose={onClose}>
        <div ref={list} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 sm:px-6">
          <PostOnTop
            post={post}
            menu={
              actions && (
                <PostMenu slug={slug} post={post} rights={rights} onSaid={setSaid} {...actions} />
              )
            }
          >
            {actions && (
              <WholePost post={post} rights={rights} onLike={likePost} onPoll={actions.onPoll} />
            )}
          </PostOnTop>
          {comments.isLinkedGone && (
            <Banner tone="warning" className="mt-4">
              This comment was deleted, or you don’t have access to it.
            </Banner>
          )}
          <CommentList comments={comments} context={context} canPost={rights.canPost && !off} />
          <div ref={end} className="h-px" />
        </div>
        <div className="relative grid gap-2 border-t px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
          {state && state.unseen.length > 0 && !isEndSeen && (
            <Button
              size="sm"
              className="absolute -top-13 left-1/2 -translate-x-1/2 shadow-raised"
              onClick={() => end.current?.scrollIntoView({ block: 'end' })}
            >
              <ArrowDown size={16} aria-hidden />
              {state.unseen.length === 1 ? '1 new comment' : `${state.unseen.length} new comments`}
            </Button>
          )}
          <SignedOutNotice />
          {problem && <Banner tone="danger">{problem}</Banner>}
          {late && !savedWords.isToSay && (
            <Banner tone="danger" title={late.what}>
              {late.problem} Your words are kept where you wrote them.
            </Banner>
          )}
          {savedWords.isToSay && (
            <Banner tone="warning" title="The comment was removed">
              What you were writing for it stands in the field below.
            </Banner>
          )}
          <output className="text-sm text-muted empty:hidden">{said}</output>
          {isHidden ? null : off ? (
            <Banner tone="warning">{off}</Banner>
          ) : rights.canPost ? (
            <CommentForm
              ref={field}
              slug={slug}
              draft={draft}
              moves={savedWords.moves}
              label="Write a comment"
              placeholder="Write a comment..."
              sendLabel="Comment"
              busyLabel="Sending..."
              onSend={(content) => send(null, content)}
              onLateRefusal={(why) => tellLate('Your comment was not sent', why)}
            />
          ) : (
            <p className="pb-2 text-sm text-muted">
              You read this as an administrator; only members of the course can comment.
            </p>
          )}
        </div>
      </Sheet>
      {asking?.to === 'delete' && (
        <DeleteComment
          comment={asking.about}
          onClose={() => setAsking(null)}
          onDeleted={() => void onDeleted(asking.about)}
        />
      )}
      {asking?.to === 'report' && (
        <ReportDialog subject={{ commentId: asking.about.id }} onClose={() => setAsking(null)} />
      )}
    </>
  )
}

type SheetProps = {
  title: string
  /** While true neither Escape nor a press outside closes it. */
  locked: boolean
  onClose: () => void
  children: ReactNode
}

/** A modal as high as the window allows, whose middle scrolls and whose end stays. */
function Sheet({ title, locked, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useVisibleHeight(dialog)

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  function dismiss() {
    if (!locked) onClose()
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onPointerDown={(event: PointerEvent) => {
        if (event.target === dialog.current) dismiss()
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        dismiss()
      }}
      // A second Escape closes without asking; then the state has to follow.
      onClose={(event) => event.target !== dialog.current || dialog.current?.open || onClose()}
      className={cn(
        'fixed inset-x-0 top-(--visible-top,0px) bottom-auto m-0 h-(--visible-height,100dvh) max-h-none',
        'w-full max-w-none overflow-hidden border bg-raised text-ink shadow-raised',
        'animate-appear max-sm:border-0 sm:inset-0 sm:m-auto sm:h-[min(52rem,calc(100dvh-3rem))]',
        'sm:w-[calc(100%-2rem)] sm:max-w-2xl sm:rounded-card',
        'backdrop:overflow-hidden backdrop:overscroll-contain backdrop:bg-backdrop',
      )}
    >
      <div className="flex h-full flex-col">
        <div className="flex items-center justify-between gap-4 border-b py-3 pr-3 pl-5 sm:pr-4 sm:pl-6">
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          <button
            type="button"
            aria-label="Close"
            disabled={locked}
            onClick={dismiss}
            className={cn(
              buttonClass({ variant: 'ghost', size: 'icon-sm' }),
              'text-muted hover:text-ink',
            )}
          >
            <X size={18} aria-hidden />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

type PostOnTopProps = { post: Post; menu: ReactNode; children: ReactNode }

/** As much of a post as is needed to know what is talked about. */
function PostOnTop({ post, menu, children }: PostOnTopProps) {
  const [isOpen, setOpen] = useState(false)
  const isLong = post.content.length > 240 || post.content.split('\n').length > 3
  return (
    <div className="-mx-5 grid gap-3 border-b bg-wash px-5 py-4 sm:-mx-6 sm:px-6">
      {post.status === 'hidden' && (
        <Banner tone="warning">
          A moderator has hidden this post. Only moderators can read it now, and nobody can comment
          on it.
        </Banner>
      )}
      <div className="flex items-start justify-between gap-3">
        <AuthorLine
          author={post.author}
          createdAt={post.createdAt}
          edited={post.updatedAt !== post.createdAt}
        />
        {menu}
      </div>
      <div className={cn(isLong && !isOpen && 'line-clamp-3')}>
        <PostText text={post.content} mentions={post.mentions} />
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="-my-2 min-h-10 justify-self-start rounded-sm text-sm font-semibold text-primary hover:underline"
        >
          {isOpen ? 'Show less' : 'Show more'}
        </button>
      )}
      {children}
    </div>
  )
}

type WholePostProps = Pick<PostActions, 'onLike' | 'onPoll'> & {
  post: Post
  rights: CommunityRights
}

/** The rest of a post that stands in no list. */
function WholePost({ post, rights, onLike, onPoll }: WholePostProps) {
  return (
    <>
      <PostParts
        post={post}
        canVote={rights.canPost}
        onPoll={(changed) => onPoll(post.id, changed)}
      />
      <div className="-mx-3 -mb-2 flex">
        <LikeButton
          label="Like this post"
          liked={post.liked}
          count={post.likesCount}
          disabled={!rights.canPost}
          onToggle={() => onLike(post)}
        />
      </div>
    </>
  )
}

type CommentListProps = {
  comments: ReturnType<typeof useComments>
  context: ThreadContext
  canPost: boolean
}

function CommentList({ comments, context, canPost }: CommentListProps) {
  const { state, hasFailed, refusal, readAgain, more, loadMore } = comments
  if (!state) {
    return hasFailed ? (
      <ErrorState
        level={3}
        className="my-6"
        title="Could not load the comments"
        description={refusal ?? 'Please check your connection and try again.'}
        onRetry={readAgain}
      />
    ) : (
      <CommentSkeletons />
    )
  }
  const { threads, later, nextCursor } = state
  if (threads.length + later.length === 0 && nextCursor === null) {
    return (
      <EmptyState
        level={3}
        className="my-6"
        icon={MessageCircle}
        title="No comments yet"
        description={canPost ? 'Be the first to say something.' : undefined}
      />
    )
  }
  const one = (thread: (typeof threads)[number]) => (
    <CommentThread key={thread.id} thread={thread} context={context} />
  )
  return (
    <>
      <ol aria-label="Comments" className="grid grid-cols-1 gap-2 py-4">
        {threads.map(one)}
        {nextCursor !== null && (
          <li className="grid justify-items-center gap-2 py-2">
            <Button
              variant="secondary"
              size="sm"
              busy={more === 'loading'}
              onClick={() => void loadMore()}
            >
              Show more comments
            </Button>
            {more === 'failed' && (
              <p role="alert" className="text-sm text-danger">
                The comments could not be loaded. Please try again.
              </p>
            )}
          </li>
        )}
        {later.map(one)}
      </ol>
      {hasFailed && (
        <Banner
          tone="warning"
          className="mb-4"
          action={
            <Button variant="secondary" size="sm" onClick={readAgain}>
              Try again
            </Button>
          }
        >
          What happened meanwhile could not be loaded.
        </Banner>
      )}
    </>
  )
}

const CommentSkeletons = () => (
  <Loading label="Loading comments..." className="grid gap-6 py-6">
    {['w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
      <div key={width} className="grid gap-3">
        <div className="flex items-center gap-3">
          <Skeleton className="size-10 rounded-full" />
          <Skeleton className="w-32" />
        </div>
        <Skeleton className={width} />
      </div>
    ))}
  </Loading>
)

type FirstFocus = {
  linkedId: string | undefined
  isThere: boolean
  field: RefObject<HTMLTextAreaElement | null>
}

/** On the comment that the address names, once it is there; else where one writes. */
function useFirstFocus({ linkedId, isThere, field }: FirstFocus) {
  const begin = useEffectEvent((isRead: boolean) => {
    if (!linkedId) field.current?.focus()
    else if (isRead) focusComment(linkedId, 'focus')
  })
  useEffect(() => begin(isThere), [isThere])
}

/** Whether an element is in view; `onSeen` when it comes into view. */
function useIsSeen(element: RefObject<HTMLElement | null>, onSeen: () => void): boolean {
  const [isSeen, setSeen] = useState(true)
  const seen = useEffectEvent(onSeen)
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => {
      setSeen(entry?.isIntersecting ?? false)
      if (entry?.isIntersecting) seen()
    })
    if (element.current) watcher.observe(element.current)
    return () => watcher.disconnect()
  }, [element])
  return isSeen
}
