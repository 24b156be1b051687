import { type ReactNode, useReducer, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import {
  useLocation,
  useNavigate,
  useNavigation,
  useRevalidator,
  useSearchParams,
} from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { laterPart } from '../../../ui/later-part.tsx'
import { toast } from '../../../ui/toast.ts'
import { useLatest } from '../../../ui/use-latest.ts'
import { useNow } from '../../notifications/ui/use-now.ts'
import type { Feed, Poll, Post } from '../schema.ts'
import { ChannelNav } from './channel-nav.tsx'
import { CommunitySearch } from './community-search.tsx'
import { Composer, PostForm } from './composer.tsx'
import { discussionAddress, type DiscussionTab, type FeedView } from './discussion-tab.ts'
import { EditPlace } from './edit-place.tsx'
import { FeedClock } from './feed-clock.ts'
import { FeedDialogs, type OpenDialog } from './feed-dialogs.tsx'
import { FeedSort } from './feed-sort.tsx'
import { changeFeed, type FeedChange, firstState } from './feed-state.ts'
import { NewPostsButton } from './new-posts-button.tsx'
import { EndOfList, NoPosts, PostList, PostSkeletons } from './post-list.tsx'
import { usePostActions } from './use-post-actions.ts'
import { useFeed } from './use-feed.ts'
import { type TellProblem, useLikes } from './use-likes.ts'
import { WritingGuard } from './writing-guard.tsx'

// Few look for something, and few moderate. Without a Suspense around them, the page waits for them.
const FoundPosts = laterPart(async () => (await import('./found-posts.tsx')).FoundPosts)
const ModeratorTools = laterPart(async () => (await import('./moderator-tools.tsx')).ModeratorTools)

/** The Discussion tab: what members and the instructor write, and where they write it. */
export function Discussion({ tab }: { tab: DiscussionTab }) {
  const now = useNow(tab.asOf)
  const { revalidate, state } = useRevalidator()
  if (!tab.feed) {
    return (
      <ErrorState
        title="Could not load the discussion"
        description="Something went wrong on our side. Please try again in a moment."
        onRetry={() => void revalidate()}
        retrying={state !== 'idle'}
      />
    )
  }
  return (
    <FeedClock value={now}>
      <section
        aria-labelledby="discussion"
        className="grid max-w-[44rem] grid-cols-1 gap-5 lg:max-w-none lg:grid-cols-[minmax(0,44rem)_minmax(0,22rem)] lg:justify-between lg:gap-x-12"
      >
        <h2 id="discussion" tabIndex={-1} className="scroll-mt-24 text-2xl outline-none">
          Discussion
        </h2>
        <WritingGuard>
          <FeedPart tab={tab} feed={tab.feed} />
        </WritingGuard>
      </section>
    </FeedClock>
  )
}

type ToolsProps = { tab: DiscussionTab; feed: Feed; children?: ReactNode }

/** What leads through the posts: above them, and beside them where there is room. */
const Tools = ({ tab, feed, children }: ToolsProps) => (
  <div className="grid grid-cols-1 gap-5 lg:sticky lg:top-22 lg:col-start-2 lg:row-start-2 lg:self-start">
    <CommunitySearch key={tab.search} slug={feed.course.slug} search={tab.search} />
    {children}
  </div>
)

const Main = ({ hidden, children }: { hidden?: boolean; children: ReactNode }) => (
  <div
    hidden={hidden}
    className="grid grid-cols-1 content-start gap-5 lg:col-start-1 lg:row-start-2"
  >
    {children}
  </div>
)

const focusOn = (id: string) =>
  // After what had the focus is gone.
  requestAnimationFrame(() => document.getElementById(id)?.focus({ preventScroll: true }))

const scrollTo = (id: string, block: ScrollLogicalPosition) =>
  requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView({ block }))

function FeedPart({ tab, feed }: { tab: DiscussionTab; feed: Feed }) {
  const { course, rights } = feed
  const view: FeedView = { sort: tab.sort, channelId: tab.channelId }
  const navigate = useNavigate()
  const isSearching = tab.search !== ''
  const { state, change, toggleLike, togglePin, ...list } = useFeed(view, feed, tab.search)
  const [isWriting, setWriting] = useState(false)
  const [editing, setEditing] = useState<Post | null>(null)
  const [home] = useState(() =>
    typeof document === 'undefined' ? null : document.createElement('div'),
  )
  const latest = useLatest({ courseId: course.id, channelId: tab.channelId, editing })
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const linked = useLinkedPost(tab, course.slug)
  const isChangingView = useIsChangingView(view)
  const actions = usePostActions({
    onLike: (post) => void toggleLike(post),
    onPin: (post) => void togglePin(post),
    onComments: (post) => setDialog({ type: 'comments', post }),
    onDelete: (post) => setDialog({ type: 'delete', post }),
    onReport: (post) => setDialog({ type: 'report', post }),
    onEdit: edit,
    onPoll: (postId, poll) => change({ type: 'poll', postId, poll }),
  })
  const changeAlsoLinked = (made: FeedChange) => {
    change(made)
    linked.change(made)
  }
  const likeLinked = useLikes(changeAlsoLinked)
  const linkedActions = {
    ...actions,
    onLike: (post: Post, tell?: TellProblem) => void likeLinked(post, tell),
    onPoll: (postId: string, poll: Poll) => changeAlsoLinked({ type: 'poll', postId, poll }),
    // What follows is not to be seen under the dialog.
    onPin: (post: Post) => void linked.close().then(() => togglePin(post)),
    onEdit: (post: Post) => void linked.close().then(() => edit(post)),
  }
  const isEditedHere = state.posts.some(({ id }) => id === editing?.id)
  // It belongs to the list.
  if (isSearching && dialog) setDialog(null)

  /** One at a time: what was added to another one would be lost. */
  function edit(post: Post) {
    const { editing: begun } = latest.current
    if (!begun) return setEditing(post)
    scrollTo(begun.id, 'center')
    if (begun.id === post.id) return undefined
    return void toast.warning('You are editing a post. Save or cancel it first.')
  }

  async function showNew() {
    if (tab.sort !== 'newest' && tab.sort !== 'helpful') {
      return navigate(discussionAddress(course.slug, { channelId: tab.channelId }))
    }
    if (!(await list.showNew())) return undefined
    scrollTo('discussion', 'start')
    return focusOn('discussion')
  }

  function onWritten(post: Post) {
    if (post.status === 'scheduled') return void toast.success('Your post is scheduled')
    void toast.success('Post published')
    showWritten(post)
  }

  function showWritten(post: Post) {
    // Another channel may be looked at by now.
    const { courseId, channelId } = latest.current
    if (post.courseId !== courseId) return
    if (channelId !== null && post.channel?.id !== channelId) return
    change({ type: 'written', post })
    scrollTo(post.id, 'nearest')
  }

  function onEdited(post: Post | null) {
    // Its time came while it was edited; another one came too late.
    if (editing?.status === 'scheduled' && post?.status === 'published') {
      void toast.warning('It was published before you saved: everybody sees it now')
      showWritten(post)
    } else if (post) change({ type: 'changed', post })
    // Another one may be edited by now.
    if (!editing || latest.current.editing?.id !== editing.id) return
    // The post stands in its place again before it takes the focus.
    flushSync(() => setEditing(null))
    focusOn(isEditedHere ? editing.id : 'discussion')
  }

  function onDeleted(post: Post) {
    const at = state.posts.findIndex(({ id }) => id === post.id)
    const next = state.posts[at + 1] ?? state.posts[at - 1]
    changeAlsoLinked({ type: 'removed', postId: post.id })
    setDialog(null)
    if (linked.dialog?.post.id === post.id) void linked.close()
    focusOn(next?.id ?? 'discussion')
    void toast.success('Post deleted')
  }

  return (
    <>
      <Tools tab={tab} feed={feed}>
        {rights.canModerate && !isSearching && (
          <ModeratorTools feed={feed} onEdit={edit} onPublished={onWritten} />
        )}
      </Tools>
      {isSearching && (
        <Main>
          <FoundPosts slug={course.slug} search={tab.search} page={tab.found} />
        </Main>
      )}
      {/* What is being written stays in its form while something is looked for. */}
      {(!isSearching || isWriting || editing) && (
        <Main hidden={isSearching}>
          <noscript>
            <Banner>You can read the posts; writing, liking and comments need JavaScript.</Banner>
          </noscript>
          <ChannelNav slug={course.slug} channels={feed.channels} current={tab.channelId} />
          {rights.canPost && (
            <Composer
              feed={feed}
              channelId={tab.channelId}
              isOpen={isWriting}
              onOpenChange={setWriting}
              onWritten={onWritten}
              isEditing={editing !== null}
              onShowEdited={editing && isEditedHere ? () => scrollTo(editing.id, 'center') : null}
            />
          )}
          {editing && home && !isEditedHere && <EditPlace id={editing.id} home={home} />}
          {linked.isGone && <GonePost address={linked.address} />}
          <div className="flex items-center justify-end">
            <FeedSort slug={course.slug} view={view} />
          </div>
          <div className="grid grid-cols-1">
            <NewPostsButton
              count={state.waiting.length}
              busy={list.isShowingNew}
              onShow={() => void showNew()}
            />
            {isChangingView ? (
              <PostSkeletons count={3} />
            ) : state.posts.length === 0 ? (
              <NoPosts feed={feed} channelId={tab.channelId} />
            ) : (
              <>
                <PostList
                  feed={feed}
                  posts={state.posts}
                  editing={editing && home && { id: editing.id, home }}
                  actions={actions}
                />
                <EndOfList
                  hasMore={state.nextCursor !== null}
                  more={list.more}
                  onMore={() => void list.loadMore()}
                />
              </>
            )}
          </div>
        </Main>
      )}
      {/* After the places where it can stand. */}
      {editing &&
        home &&
        createPortal(
          <PostForm
            key={editing.id}
            feed={feed}
            channelId={null}
            post={editing}
            onDone={onEdited}
          />,
          home,
        )}
      {!isSearching && (
        <FeedDialogs
          feed={feed}
          dialog={dialog ?? linked.dialog}
          linkedActions={linkedActions}
          onClose={() => (dialog ? setDialog(null) : void linked.close())}
          onDeleted={onDeleted}
          onCount={(postId, commentsCount) =>
            changeAlsoLinked({ type: 'commentsCount', postId, commentsCount })
          }
        />
      )}
    </>
  )
}

/** The post that the address names, as long as it does. */
function useLinkedPost({ opened, sort, channelId }: DiscussionTab, slug: string) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isNamed = opened !== null && (query.get('post') ?? '') !== ''
  const posts = opened?.post ? [opened.post] : []
  /** As it is by now: it may stand in no list. */
  const [state, change] = useReducer(changeFeed, firstState('newest', { posts, nextCursor: null }))
  const [shown, setShown] = useState(opened)
  if (shown !== opened) {
    setShown(opened)
    change({ type: 'shown', sort: 'newest', page: { posts, nextCursor: null } })
  }
  const post = state.posts[0]
  const dialog: OpenDialog | null =
    isNamed && post
      ? { type: 'comments', post, commentId: opened.commentId ?? undefined, isLinked: true }
      : null
  const address = discussionAddress(slug, { sort, channelId })
  return {
    dialog,
    isGone: isNamed && !opened.post,
    address,
    change,
    close: async () => navigate(address, { replace: true, preventScrollReset: true }),
  }
}

/** Another order or another channel is on its way. */
function useIsChangingView({ sort, channelId }: FeedView): boolean {
  const { location } = useNavigation()
  const { pathname } = useLocation()
  if (location?.pathname !== pathname) return false
  const query = new URLSearchParams(location.search)
  if (query.get('tab') !== 'discussion' || query.has('search')) return false
  return (query.get('sort') ?? 'newest') !== sort || query.get('channel') !== channelId
}

/** For who followed a link to a post that is not there any more. */
function GonePost({ address }: { address: string }) {
  return (
    <Banner
      tone="warning"
      action={
        <ButtonLink to={address} variant="secondary" size="sm" replace preventScrollReset>
          Dismiss
        </ButtonLink>
      }
    >
      This post was deleted, or you don’t have access to it.
    </Banner>
  )
}
