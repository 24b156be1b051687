// What is shown of a feed, and how it changes. Pure.
import type { Sort } from '../rules.ts'
import type { Feed, Poll, Post } from '../schema.ts'

export type FeedPage = Pick<Feed, 'posts' | 'nextCursor'>

export interface FeedState {
  sort: Sort
  posts: Post[]
  nextCursor: string | null
  /** Posts by others that came since: they wait until they are asked for. */
  waiting: string[]
  /** Posts whose like is on its way to the server: what it says of them meanwhile is older. */
  liking: string[]
}

export type FeedChange =
  /** From the start, perhaps in another order. */
  | { type: 'shown'; sort: Sort; page: FeedPage }
  /** The page after this cursor. */
  | { type: 'continued'; after: string; page: FeedPage }
  /** The first pages once more: nothing moves, what changed changes in its place. */
  | { type: 'lookedAgain'; page: FeedPage }
  | { type: 'waits'; postId: string }
  /** The viewer wrote it. */
  | { type: 'written'; post: Post }
  | { type: 'changed'; post: Post }
  /** It was removed from this place of the list, and is there again. */
  | { type: 'restored'; post: Post; at: number }
  /** By the viewer: it goes where it belongs now. */
  | { type: 'pinned'; postId: string; isPinned: boolean }
  | { type: 'removed'; postId: string }
  | { type: 'like'; postId: string; liked: boolean }
  | { type: 'likeSettled'; postId: string; liked: boolean; likesCount: number }
  | { type: 'likesCount'; postId: string; likesCount: number }
  | { type: 'commentsCount'; postId: string; commentsCount: number }
  | { type: 'poll'; postId: string; poll: Poll }

export const firstState = (sort: Sort, page: FeedPage): FeedState => ({
  sort,
  posts: page.posts,
  nextCursor: page.nextCursor,
  waiting: [],
  liking: [],
})

export function changeFeed(state: FeedState, change: FeedChange): FeedState {
  switch (change.type) {
    case 'shown':
      return { ...firstState(change.sort, change.page), liking: state.liking }
    case 'continued':
      // From elsewhere than the end of what is shown by now there could be a gap.
      return state.nextCursor === change.after ? continued(state, change.page) : state
    case 'lookedAgain':
      return lookedAgain(state, change.page)
    case 'waits':
      return isKnown(state, change.postId)
        ? state
        : { ...state, waiting: [...state.waiting, change.postId] }
    case 'written':
      return without(state, change.post.id, (posts) => belowPinned(posts, change.post))
    case 'changed':
      return patched(state, change.post.id, (post) => newer(state, post, change.post))
    case 'restored':
      return isKnown(state, change.post.id)
        ? patched(state, change.post.id, (post) => newer(state, post, change.post))
        : { ...state, posts: state.posts.toSpliced(change.at, 0, change.post) }
    case 'pinned':
      return pinned(state, change.postId, change.isPinned)
    case 'removed':
      return without(state, change.postId, (posts) => posts)
    case 'like':
      return {
        ...patched(state, change.postId, (post) => likedNow(post, change.liked)),
        liking: [...state.liking.filter((id) => id !== change.postId), change.postId],
      }
    case 'likeSettled':
      return {
        ...patched(state, change.postId, () => ({
          liked: change.liked,
          likesCount: change.likesCount,
        })),
        liking: state.liking.filter((id) => id !== change.postId),
      }
    case 'likesCount':
      return state.liking.includes(change.postId)
        ? state
        : patched(state, change.postId, () => ({ likesCount: change.likesCount }))
    case 'commentsCount':
      return patched(state, change.postId, () => ({ commentsCount: change.commentsCount }))
    case 'poll':
      return patched(state, change.postId, () => ({ poll: change.poll }))
  }
}

const isKnown = ({ posts, waiting }: FeedState, postId: string) =>
  waiting.includes(postId) || posts.some(({ id }) => id === postId)

/** A page can repeat what is there already, as posts arrive or move meanwhile. */
function unknownOf(known: Post[], posts: Post[]): Post[] {
  const ids = new Set(known.map(({ id }) => id))
  return posts.filter(({ id }) => !ids.has(id))
}

function continued(state: FeedState, page: FeedPage): FeedState {
  const posts = [...state.posts, ...unknownOf(state.posts, page.posts)]
  const shown = new Set(posts.map(({ id }) => id))
  const waiting = state.waiting.filter((id) => !shown.has(id))
  return { ...state, posts, waiting, nextCursor: page.nextCursor }
}

function patched(state: FeedState, postId: string, patch: (post: Post) => Partial<Post>) {
  return {
    ...state,
    posts: state.posts.map((post) => (post.id === postId ? { ...post, ...patch(post) } : post)),
  }
}

function without(state: FeedState, postId: string, then: (rest: Post[]) => Post[]): FeedState {
  return {
    ...state,
    posts: then(state.posts.filter(({ id }) => id !== postId)),
    waiting: state.waiting.filter((id) => id !== postId),
  }
}

function likedNow(post: Post, liked: boolean): Partial<Post> {
  if (post.liked === liked) return {}
  return { liked, likesCount: Math.max(0, post.likesCount + (liked ? 1 : -1)) }
}

/** What the server said, but for a like that is still on its way. */
function newer({ liking }: FeedState, shown: Post, told: Post): Post {
  if (!liking.includes(told.id)) return told
  return { ...told, liked: shown.liked, likesCount: shown.likesCount }
}

function belowPinned(posts: Post[], post: Post): Post[] {
  const at = posts.findIndex(({ isPinned }) => !isPinned)
  return at < 0 ? [...posts, post] : posts.toSpliced(at, 0, post)
}

function pinned(state: FeedState, postId: string, isPinned: boolean): FeedState {
  const post = state.posts.find(({ id }) => id === postId)
  if (!post || post.isPinned === isPinned) return state
  const changed = { ...post, isPinned }
  return without(state, postId, (rest) =>
    isPinned ? [changed, ...rest] : inItsPlace(rest, changed, state.sort),
  )
}

/** Whether `a` comes before `b` among the posts that are not pinned. */
function isBefore(a: Post, b: Post, sort: Sort): boolean {
  if (sort === 'oldest') return a.createdAt < b.createdAt
  if (sort === 'highest' && a.likesCount !== b.likesCount) return a.likesCount > b.likesCount
  if (sort === 'lowest' && a.likesCount !== b.likesCount) return a.likesCount < b.likesCount
  return a.createdAt > b.createdAt
}

function inItsPlace(posts: Post[], post: Post, sort: Sort): Post[] {
  const at = posts.findIndex((other) => !other.isPinned && isBefore(post, other, sort))
  return at < 0 ? [...posts, post] : posts.toSpliced(at, 0, post)
}

/**
 * The server tells of the posts from the start of the feed to somewhere. Those that are shown stay in their
 * place, as they are now; those that are not told of any more, though they would be among these, are gone;
 * those that are new wait.
 */
function lookedAgain(state: FeedState, page: FeedPage): FeedState {
  const told = new Map(page.posts.map((post) => [post.id, post]))
  const last = page.nextCursor === null ? null : (page.posts.at(-1) ?? null)
  const posts = state.posts.flatMap((post) => {
    const now = told.get(post.id)
    if (now) return [newer(state, post, now)]
    return wouldBeTold(post, last, state.sort) ? [] : [post]
  })
  const shownTo = state.posts.at(-1)
  const waiting = unknownOf(state.posts, page.posts)
    // What lies below all that is shown comes with the next page.
    .filter((post) => state.nextCursor === null || !shownTo || isAbove(post, shownTo, state.sort))
    .map(({ id }) => id)
  return { ...state, posts, waiting: [...new Set([...state.waiting, ...waiting])] }
}

/** Posts that would stay though the server does not tell of them: what became of these nobody has heard. */
export const untold = (state: FeedState, page: FeedPage): string[] =>
  unknownOf(page.posts, lookedAgain(state, page).posts).map(({ id }) => id)

/** `last`: the last post that the server told of; null when it told of all. */
const wouldBeTold = (post: Post, last: Post | null, sort: Sort) =>
  last === null ||
  ((sort === 'highest' || sort === 'lowest') === false && isBefore(post, last, sort))

const isAbove = (post: Post, shown: Post, sort: Sort) =>
  post.isPinned || shown.isPinned || isBefore(post, shown, sort)
