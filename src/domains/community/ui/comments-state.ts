// What is shown of the comments of a post, and how it changes. Pure.
import type { Comment, CommentPage, Thread } from '../schema.ts'

export interface ShownThread extends Omit<Thread, 'linkedReply'> {
  /** Replies that came from elsewhere than the pages: others may belong before them. */
  later: Comment[]
}

export interface CommentsState {
  /** Oldest first, without a gap. */
  threads: ShownThread[]
  nextCursor: string | null
  /** Threads that came from elsewhere than the pages: others may belong before them. */
  later: ShownThread[]
  /** By others, since the end of the list was seen last. */
  unseen: string[]
  /** Whose like is on its way to the server: what it says of it meanwhile is older. */
  liking: string[]
}

export type ReplyPage = { replies: Comment[]; nextCursor: string | null }

/** Threads below the pages that were read: as they are now, and those that are gone. */
export interface Beyond {
  threads: Thread[]
  gone: string[]
}

export type CommentsChange =
  | { type: 'shown'; page: CommentPage }
  | { type: 'continued'; after: string; page: CommentPage }
  | { type: 'lookedAgain'; page: CommentPage; beyond?: Beyond }
  | { type: 'replies'; threadId: string; page: ReplyPage }
  /** What the server says of one comment: its thread, or that neither is shown any more. */
  | { type: 'told'; commentId: string; thread: Thread | null; isNew: boolean }
  /** By the viewer. */
  | { type: 'written'; comment: Comment }
  | { type: 'edited'; comment: Comment }
  | { type: 'removed'; commentId: string }
  | { type: 'seen' }
  | { type: 'like'; commentId: string; liked: boolean }
  | { type: 'likeSettled'; commentId: string; liked: boolean; likesCount: number }
  | { type: 'likesCount'; commentId: string; likesCount: number }

/** Null until the first page is there. */
export function changeComments(
  state: CommentsState | null,
  change: CommentsChange,
): CommentsState | null {
  if (change.type === 'shown') return shown(change.page)
  if (!state) return null
  switch (change.type) {
    case 'continued':
      // From elsewhere than the end of what is shown by now there could be a gap.
      return state.nextCursor === change.after ? continued(state, change.page) : state
    case 'lookedAgain':
      return lookedAgain(state, change.page, change.beyond)
    case 'replies':
      return withThread(state, change.threadId, (thread) => moreReplies(thread, change.page))
    case 'told':
      return told(state, change)
    case 'written':
      return written(state, change.comment)
    case 'edited':
      return patched(state, change.comment.id, (comment) =>
        whatIsNew(state, comment, change.comment),
      )
    case 'removed':
      return removed(state, change.commentId)
    case 'seen':
      return state.unseen.length === 0 ? state : { ...state, unseen: [] }
    case 'like':
      return {
        ...patched(state, change.commentId, (comment) => likedNow(comment, change.liked)),
        liking: [...state.liking.filter((id) => id !== change.commentId), change.commentId],
      }
    case 'likeSettled':
      return {
        ...patched(state, change.commentId, () => ({
          liked: change.liked,
          likesCount: change.likesCount,
        })),
        liking: state.liking.filter((id) => id !== change.commentId),
      }
    case 'likesCount':
      return state.liking.includes(change.commentId)
        ? state
        : patched(state, change.commentId, () => ({ likesCount: change.likesCount }))
  }
}

// Order ------------------------------------------------------------------------------------------

type Placed = { id: string; createdAt: string }

export const isBefore = (a: Placed, b: Placed) =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt

const byId = <Of extends Placed>(list: Of[], id: string) => list.find((one) => one.id === id)

/** In its place; what was there of the same id goes. */
function placed<Of extends Placed>(list: Of[], one: Of): Of[] {
  const rest = list.filter(({ id }) => id !== one.id)
  const at = rest.findLastIndex((other) => isBefore(other, one))
  return rest.toSpliced(at + 1, 0, one)
}

const without = <Of extends Placed>(list: Of[], others: Placed[]): Of[] => {
  const ids = new Set(others.map(({ id }) => id))
  return list.filter(({ id }) => !ids.has(id))
}

/** Among what is loaded without a gap, or behind the gap. */
const isWithin = (list: Placed[], isComplete: boolean, one: Placed) => {
  const last = list.at(-1)
  return isComplete || (last !== undefined && isBefore(one, last))
}

// Pages ------------------------------------------------------------------------------------------

function shownThread({ linkedReply, ...thread }: Thread): ShownThread {
  return { ...thread, later: linkedReply ? [linkedReply] : [] }
}

function shown({ threads, linked, nextCursor }: CommentPage): CommentsState {
  return {
    threads: threads.map(shownThread),
    nextCursor,
    later: linked ? [shownThread(linked)] : [],
    unseen: [],
    liking: [],
  }
}

const allThreads = ({ threads, later }: CommentsState) => [...threads, ...later]

/** What is known of a thread, as the server tells of it now: replies that were loaded stay. */
function merged(known: ShownThread | undefined, fresh: ShownThread): ShownThread {
  if (!known) return fresh
  const replies = [...known.replies, ...known.later]
  const last = fresh.replies.at(-1)
  const further =
    fresh.nextReplies === null ? [] : replies.filter((reply) => !last || isBefore(last, reply))
  return { ...fresh, later: further.reduce(placed, fresh.later) }
}

function continued(state: CommentsState, page: CommentPage): CommentsState {
  const known = allThreads(state)
  const fresh = page.threads.map((thread) => merged(byId(known, thread.id), shownThread(thread)))
  const threads = [...without(state.threads, fresh), ...fresh]
  const later = without(state.later, fresh)
  return page.nextCursor === null
    ? { ...state, threads: later.reduce(placed, threads), nextCursor: null, later: [] }
    : { ...state, threads, nextCursor: page.nextCursor, later }
}

/**
 * The server tells of the threads from the start to somewhere; what is not told of any more is gone. Replies
 * that it does not tell of can be asked for: nobody heard what became of those that were loaded.
 */
function lookedAgain(
  state: CommentsState,
  page: CommentPage,
  beyond: Beyond = { threads: [], gone: [] },
): CommentsState {
  const threads = page.threads.map(shownThread)
  const last = page.nextCursor === null ? undefined : threads.at(-1)
  const further = last
    ? allThreads(state).filter(
        (thread) => isBefore(last, thread) && !beyond.gone.includes(thread.id),
      )
    : []
  const known = [...beyond.threads, ...(page.linked ? [page.linked] : [])].map(shownThread)
  const later = known.reduce(placed, without(further, threads))
  return { ...state, threads, nextCursor: page.nextCursor, later }
}

function moreReplies(thread: ShownThread, page: ReplyPage): ShownThread {
  const replies = [...without(thread.replies, page.replies), ...page.replies]
  const later = without(thread.later, page.replies)
  return page.nextCursor === null
    ? { ...thread, replies: later.reduce(placed, replies), nextReplies: null, later: [] }
    : { ...thread, replies, nextReplies: page.nextCursor, later }
}

/** Whether a page has this comment: as a thread, or as one of the replies that come with it. */
export const isIn = ({ threads, linked }: CommentPage, commentId: string): boolean =>
  [...threads, ...(linked ? [linked] : [])].some(({ id, replies, linkedReply }) =>
    [id, linkedReply?.id, ...replies.map((reply) => reply.id)].includes(commentId),
  )

// One comment ------------------------------------------------------------------------------------

function withThread(
  state: CommentsState,
  threadId: string,
  patch: (thread: ShownThread) => ShownThread,
): CommentsState {
  const apply = (thread: ShownThread) => (thread.id === threadId ? patch(thread) : thread)
  return { ...state, threads: state.threads.map(apply), later: state.later.map(apply) }
}

function patched(
  state: CommentsState,
  commentId: string,
  patch: (comment: Comment) => Partial<Comment>,
): CommentsState {
  const one = <Of extends Comment>(comment: Of): Of =>
    comment.id === commentId ? { ...comment, ...patch(comment) } : comment
  const apply = (thread: ShownThread) => ({
    ...one(thread),
    replies: thread.replies.map(one),
    later: thread.later.map(one),
  })
  return { ...state, threads: state.threads.map(apply), later: state.later.map(apply) }
}

/** What the server said, but for a like that is still on its way. */
function whatIsNew({ liking }: CommentsState, known: Comment, now: Comment): Comment {
  if (!liking.includes(now.id)) return now
  return { ...now, liked: known.liked, likesCount: known.likesCount }
}

function likedNow(comment: Comment, liked: boolean): Partial<Comment> {
  if (comment.liked === liked) return {}
  return { liked, likesCount: Math.max(0, comment.likesCount + (liked ? 1 : -1)) }
}

function addThread(state: CommentsState, thread: ShownThread): CommentsState {
  return isWithin(state.threads, state.nextCursor === null, thread)
    ? { ...state, threads: placed(state.threads, thread) }
    : { ...state, later: placed(state.later, thread) }
}

function addReply(thread: ShownThread, reply: Comment): ShownThread {
  return isWithin(thread.replies, thread.nextReplies === null, reply)
    ? { ...thread, replies: placed(thread.replies, reply), later: without(thread.later, [reply]) }
    : { ...thread, later: placed(thread.later, reply) }
}

const repliesOf = ({ replies, later }: ShownThread) => [...replies, ...later]

function told(
  state: CommentsState,
  { commentId, thread, isNew }: CommentsChange & { type: 'told' },
): CommentsState {
  if (!thread) return removed(state, commentId)
  const known = byId(allThreads(state), thread.id)
  if (thread.id === commentId) {
    if (!known) {
      if (!isNew) return state
      // It can be told once more, after an answer that was older; above what was seen nothing waits at the end.
      const isNoted =
        thread.isOwn ||
        state.unseen.includes(commentId) ||
        allThreads(state).some((one) => isBefore(thread, one) && !state.unseen.includes(one.id))
      const unseen = isNoted ? state.unseen : [...state.unseen, commentId]
      return { ...addThread(state, shownThread(thread)), unseen }
    }
    const { replies: _replies, nextReplies: _next, linkedReply: _linked, ...itself } = thread
    return withThread(state, commentId, (before) => ({
      ...before,
      ...whatIsNew(state, before, itself),
      repliesCount: thread.repliesCount,
    }))
  }
  // Replies of what is not loaded come with it.
  if (!known) return state
  const reply = thread.linkedReply ?? byId(thread.replies, commentId)
  if (!reply) return removed(state, commentId)
  const before = byId(repliesOf(known), commentId)
  if (!before && !isNew) return state
  return withThread(state, thread.id, (now) => ({
    ...addReply(now, before ? whatIsNew(state, before, reply) : reply),
    repliesCount: thread.repliesCount,
  }))
}

function written(state: CommentsState, comment: Comment): CommentsState {
  const { threadId } = comment
  if (threadId === null) {
    if (byId(allThreads(state), comment.id)) return state
    const thread = { ...comment, repliesCount: 0, replies: [], nextReplies: null, later: [] }
    return addThread(state, thread)
  }
  return withThread(state, threadId, (thread) =>
    byId(repliesOf(thread), comment.id)
      ? thread
      : { ...addReply(thread, comment), repliesCount: thread.repliesCount + 1 },
  )
}

/** With it go the places that were kept for it alone, as on the server. */
function removed(state: CommentsState, commentId: string): CommentsState {
  const unseen = state.unseen.filter((id) => id !== commentId)
  const apply = (threads: ShownThread[]) =>
    threads.flatMap((thread) => {
      if (thread.id === commentId) return []
      const reply = byId(repliesOf(thread), commentId)
      if (!reply) return [thread]
      const left = withoutReply(thread, reply)
      return left.status === 'published' || left.repliesCount > 0 ? [left] : []
    })
  return { ...state, threads: apply(state.threads), later: apply(state.later), unseen }
}

function withoutReply(thread: ShownThread, reply: Comment): ShownThread {
  const isShown = reply.status === 'published'
  const left = {
    ...thread,
    replies: without(thread.replies, [reply]),
    later: without(thread.later, [reply]),
    repliesCount: Math.max(0, thread.repliesCount - (isShown ? 1 : 0)),
  }
  const above = reply.parentId === null ? undefined : byId(repliesOf(left), reply.parentId)
  const isKept = repliesOf(left).some(({ parentId }) => parentId === above?.id)
  return above && above.status !== 'published' && !isKept ? withoutReply(left, above) : left
}

/** Whether nothing can be said to it any more: it was removed, or its place alone is kept. */
export function isRemoved(state: CommentsState, about: Comment): boolean {
  const { id, threadId } = about
  const thread = byId(allThreads(state), threadId ?? id)
  if (!thread) return true
  const one = thread.id === id ? thread : byId(repliesOf(thread), id)
  // A reply that is not shown may be among those that were not loaded.
  return one
    ? one.status !== 'published'
    : isWithin(thread.replies, thread.nextReplies === null, about)
}

/** How many replies the server has that are not shown. */
export const hiddenReplies = (thread: ShownThread) =>
  thread.repliesCount - repliesOf(thread).filter(({ status }) => status === 'published').length
