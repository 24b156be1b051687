// Reads the comments of a post from the start, as far down as they are shown.
import type { CommentPage, Thread } from '../schema.ts'
import { type Beyond, type CommentsState, isBefore, type ReplyPage } from './comments-state.ts'

/** Pages that are read again when the comments are opened again; more are asked for. */
const mostPagesAgain = 5
/** Threads that are shown further down, and are asked for one by one. */
const mostBeyond = 20

type Read = { page: CommentPage | null; error: unknown }

export interface CommentCalls {
  page(asked: { cursor?: string; with?: string; only?: string }): Promise<Read>
  /** Null when they could not be read. */
  replies(threadId: string, cursor: string): Promise<ReplyPage | null>
}

export async function readFromStart(
  calls: CommentCalls,
  state: CommentsState | null,
  linkedId: string | undefined,
): Promise<Read & { beyond: Beyond }> {
  const nothing: Beyond = { threads: [], gone: [] }
  const first = await calls.page({ with: linkedId })
  if (!first.page) return { ...first, beyond: nothing }
  let list = first.page
  const shown = state?.threads.length ?? 0
  for (let pages = 1; list.nextCursor !== null && list.threads.length < shown; pages += 1) {
    if (pages === mostPagesAgain) break
    // One after the other: each begins where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const { page } = await calls.page({ cursor: list.nextCursor })
    if (!page) break
    const threads = [...list.threads, ...page.threads]
    list = { ...list, threads, nextCursor: page.nextCursor }
  }
  if (!state) return { page: list, error: null, beyond: nothing }
  const known = [...state.threads, ...state.later]
  const asShown = (thread: Thread) =>
    withReplies(calls, thread, known.find(({ id }) => id === thread.id)?.replies.length ?? 0)
  const { linked, threads } = list
  const [listed, linkedOne, beyond] = await Promise.all([
    Promise.all(threads.map(asShown)),
    linked && asShown(linked),
    readBeyond(calls, known, list),
  ])
  const further = await Promise.all(beyond.threads.map(asShown))
  const page = { ...list, threads: listed, linked: linkedOne }
  return { page, error: null, beyond: { ...beyond, threads: further } }
}

/** What is shown further down than what was read. */
async function readBeyond(
  calls: CommentCalls,
  known: CommentsState['threads'],
  { threads, linked, nextCursor }: CommentPage,
): Promise<Beyond> {
  const last = threads.at(-1)
  if (nextCursor === null || !last) return { threads: [], gone: [] }
  const further = known.filter((one) => isBefore(last, one) && one.id !== linked?.id)
  const asked = await Promise.all(
    further
      .slice(0, mostBeyond)
      .map(async ({ id }) => ({ id, ...(await calls.page({ only: id })) })),
  )
  return {
    threads: asked.flatMap(({ page }) => page?.linked ?? []),
    gone: asked.flatMap(({ id, page }) => (page && !page.linked ? [id] : [])),
  }
}

/** A thread with as many of its replies as are shown. */
async function withReplies(calls: CommentCalls, thread: Thread, shown: number): Promise<Thread> {
  let { replies, nextReplies } = thread
  for (let pages = 0; nextReplies !== null && replies.length < shown; pages += 1) {
    if (pages === mostPagesAgain) break
    // As above: each begins where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const page = await calls.replies(thread.id, nextReplies)
    if (!page) break
    replies = [...replies, ...page.replies]
    nextReplies = page.nextCursor
  }
  const isThere = replies.some(({ id }) => id === thread.linkedReply?.id)
  return { ...thread, replies, nextReplies, linkedReply: isThere ? null : thread.linkedReply }
}
