import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { toast } from '../../../ui/toast.ts'
import { useLatest } from '../../../ui/use-latest.ts'
import { client } from '../../../web/api-client.ts'
import { isServerError, safe } from '../../../web/call-outcome.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { LiveEvent } from '../../notifications/schema.ts'
import type { Feed, Post } from '../schema.ts'
import type { FeedView } from './discussion-tab.ts'
import {
  changeFeed,
  type FeedChange,
  type FeedPage,
  type FeedState,
  firstState,
  untold,
} from './feed-state.ts'
import { createReadings, type EndReading, type Readings } from './readings.ts'
import { useLikes } from './use-likes.ts'
import { useReadSoon } from './use-read-soon.ts'

/** Pages that are read again after a gap; what is further down is read again when it is asked for. */
const mostPagesAgain = 5
/** Posts that are asked for one by one, as the pages do not say whether they are still there. */
const mostUntold = 20
const notPinned = 'The post could not be pinned. Please check your connection and try again.'
const notUnpinned = 'The post could not be unpinned. Please check your connection and try again.'

const isGone = (error: unknown) => isServerError(error) && error.code === 'NOT_FOUND'

async function readPage(slug: string, { sort, channelId }: FeedView, cursor?: string | null) {
  const [, page] = await safe(
    client.community.getFeed({
      slug,
      sort,
      channelId: channelId ?? undefined,
      cursor: cursor ?? undefined,
    }),
  )
  return page ?? null
}

/**
 * The feed that is shown: what came with the tab, what was loaded since, and what happens meanwhile. It begins anew
 * after a search.
 */
export function useFeed(view: FeedView, first: Feed, search: string) {
  const { slug, id: courseId } = first.course
  const [state, take] = useReducer(changeFeed, null, () => firstState(view.sort, first))
  const [readings] = useState(createReadings)
  const change = useCallback((made: FeedChange) => readings.happened(() => take(made)), [readings])
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const [isShowingNew, setShowingNew] = useState(false)
  const toggleLike = useLikes(change)

  const viewKey = `${slug} ${view.sort} ${view.channelId} ${search}`
  const isStill = useIsStill(viewKey)
  const [shownView, setShownView] = useState(viewKey)
  if (shownView !== viewKey) {
    setShownView(viewKey)
    take({ type: 'shown', sort: view.sort, page: first })
    setMore('idle')
  }

  useFeedEvents({
    // What was found is not asked for again because of them.
    courseId: search === '' ? courseId : undefined,
    view,
    isStillShown: () => isStill(viewKey),
    state,
    readings,
    change,
  })
  useLookAgain({ slug, view, viewKey, first, feed: state, readings, take, change })

  async function loadMore() {
    const { nextCursor: after } = state
    if (after === null || more === 'loading') return
    setMore('loading')
    await readings.read(readPage(slug, view, after), (page) => {
      if (!isStill(viewKey)) return false
      if (page) take({ type: 'continued', after, page })
      return setMore(page ? 'idle' : 'failed')
    })
  }

  /** False when it could not be loaded. */
  async function showNew(): Promise<boolean> {
    setShowingNew(true)
    const page = await readings.read(readPage(slug, view), (now) => {
      if (!isStill(viewKey)) return false
      return now && take({ type: 'shown', sort: view.sort, page: now })
    })
    setShowingNew(false)
    if (!isStill(viewKey)) return false
    if (!page) void toast.error('New posts could not be loaded. Please check your connection.')
    return page !== null
  }

  async function togglePin({ id: postId, isPinned }: Post) {
    const wish = { postId, isPinned: !isPinned }
    const [error] = await safe(client.community.pinPost(wish))
    if (isGone(error)) change({ type: 'removed', postId })
    if (error) return void toast.error(callProblem(error, isPinned ? notUnpinned : notPinned))
    change({ type: 'pinned', ...wish })
    void toast.success(isPinned ? 'Post unpinned' : 'Post pinned')
  }

  return { state, change, more, loadMore, isShowingNew, showNew, toggleLike, togglePin }
}

/** Whether what is shown is what was asked about: answers to anything else come too late. */
function useIsStill(now: string) {
  const latest = useLatest(now)
  return (asked: string) => latest.current === asked
}

type Change = (made: FeedChange) => void
type Shown = {
  courseId: string | undefined
  view: FeedView
  /** Whether that is the view still. */
  isStillShown: () => boolean
  state: ReturnType<typeof changeFeed>
  readings: Readings
  change: Change
}

/** What others do appears, without moving what is read. */
function useFeedEvents({ courseId, view, isStillShown, state, readings, change }: Shown) {
  const { revalidate } = useRevalidator()
  const isShown = (postId: string) => state.posts.some(({ id }) => id === postId)
  /** Where posts stood that were removed: hidden ones can be restored, and old news can be told again. */
  const gone = useRef(new Map<string, number>())
  // In another view they stood elsewhere.
  const placeOf = (postId: string) => `${view.sort} ${view.channelId} ${postId}`

  const mayShow = (postId: string) => isShown(postId) || gone.current.has(placeOf(postId))
  const readPost = (postId: string) =>
    readings.read(safe(client.community.getPost({ postId })), ([error, post]) => {
      const stoodAt = gone.current.get(placeOf(postId))
      if (post && stoodAt !== undefined) {
        const isOfView = view.channelId === null || post.channel?.id === view.channelId
        const isToShow = post.status === 'published' && isOfView && isStillShown()
        if (isToShow) change({ type: 'restored', post, at: stoodAt })
      } else if (post) change({ type: 'changed', post })
      else if (isGone(error)) change({ type: 'removed', postId })
    })
  const readChanged = useReadSoon((ids) => void Promise.all(ids.filter(mayShow).map(readPost)))

  const announce = useReadSoon(async (ids) => {
    for (const postId of ids.filter((id) => !isShown(id))) {
      // Which channel it is in, only the post says.
      // oxlint-disable-next-line no-await-in-loop
      const isHere = view.channelId === null || (await isIn(postId, view.channelId))
      if (!isStillShown()) return
      if (isHere) change({ type: 'waits', postId })
    }
  })
  const readAll = useReadSoon(() => void revalidate())

  function onEvent(event: LiveEvent) {
    if (!('courseId' in event) || event.courseId !== courseId) return
    switch (event.type) {
      case 'post':
        if (event.change === 'created') announce(event.postId)
        else if (event.change === 'changed') readChanged(event.postId)
        else {
          const at = state.posts.findIndex(({ id }) => id === event.postId)
          if (at >= 0) gone.current.set(placeOf(event.postId), at)
          change({ type: 'removed', postId: event.postId })
        }
        break
      case 'votes':
        readChanged(event.postId)
        break
      case 'likes':
        if (event.commentId === null) change({ ...event, type: 'likesCount' })
        break
      case 'comment':
        change({ ...event, type: 'commentsCount' })
        break
      case 'channels':
      case 'moderation':
        readAll(event.type)
        break
    }
  }
  // After a gap the page is loaded again, and with it the first posts.
  useLiveEvents({ courseId, onEvent, onGap: () => {} })
}

async function isIn(postId: string, channelId: string): Promise<boolean> {
  const [, post] = await safe(client.community.getPost({ postId }))
  return post?.channel?.id === channelId
}

type Again = Pick<Shown, 'view' | 'readings' | 'change'> & {
  slug: string
  viewKey: string
  take: Change
  first: Feed
  feed: FeedState
}

/** When the tab was loaded again, so is what was loaded after it. */
function useLookAgain({ slug, view, viewKey, first, feed, readings, take, change }: Again) {
  const had = useRef<FeedPage>(first)
  const { state } = useRevalidator()
  /** Begun with the loader: what happens while it asks may be missing from its answer, too. */
  const begun = useRef<{ of: string; end: EndReading }>(null)
  /** Null when not all of it could be read. */
  async function readOn(start: FeedPage, isLatest: () => boolean): Promise<FeedPage | null> {
    let list = start
    for (
      let pages = 1;
      list.nextCursor !== null && list.posts.length < feed.posts.length;
      pages += 1
    ) {
      if (pages === mostPagesAgain) break
      // One after the other: each begins where the one before ended.
      // oxlint-disable-next-line no-await-in-loop
      const next: FeedPage | null = await readPage(slug, view, list.nextCursor)
      if (!next || !isLatest()) return null
      list = { posts: [...list.posts, ...next.posts], nextCursor: next.nextCursor }
    }
    return list
  }
  const readUntold = useEffectEvent((page: FeedPage, isLatest: () => boolean) => {
    for (const postId of untold(feed, page).slice(0, mostUntold)) {
      void readings.read(safe(client.community.getPost({ postId })), ([error, post]) => {
        if (!isLatest()) return
        const isOfView = view.channelId === null || post?.channel?.id === view.channelId
        if (post?.status === 'published' && isOfView) change({ type: 'changed', post })
        else if (post || isGone(error)) change({ type: 'removed', postId })
      })
    }
  })
  const lookAgain = useEffectEvent(async (start: FeedPage, isLatest: () => boolean) => {
    if (start === had.current) return
    had.current = start
    const own = begun.current?.of === viewKey ? begun.current : null
    if (own) begun.current = null
    const end = own?.end ?? readings.begin()
    const page = await readOn(start, isLatest)
    end(() => {
      if (!isLatest()) return false
      return page && take({ type: 'lookedAgain', page })
    })
    if (page && isLatest()) readUntold(page, isLatest)
  })
  const beginWith = useEffectEvent((loader: 'idle' | 'loading', of: string) => {
    begun.current?.end(() => false)
    begun.current = loader === 'loading' ? { of, end: readings.begin() } : null
  })
  useEffect(() => {
    let latest = true
    void lookAgain(first, () => latest)
    return () => {
      latest = false
    }
  }, [first])
  // After the effect that takes it.
  useEffect(() => beginWith(state, viewKey), [state, viewKey])
}
