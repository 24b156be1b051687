// What the Discussion tab of the member page shows, and its address.
import { ORPCError, safe } from '@orpc/client'
import { redirect } from 'react-router'
import type { ApiClient } from '../../../server/contract-calls.ts'
import { communityLimits, type Sort, sorts } from '../rules.ts'
import type { Feed, FoundPage, Post } from '../schema.ts'

/** Which part of the discussion is shown, and in which order. */
export interface FeedView {
  sort: Sort
  /** Null for all of them. */
  channelId: string | null
}

/** A post that was asked for by its address. */
interface OpenedPost {
  postId: string
  commentId: string | null
  /** Null when it is gone, or not for the viewer. */
  post: Post | null
}

export interface DiscussionTab extends FeedView {
  /** When all this was so. */
  asOf: string
  /** Null where it could not be loaded. */
  feed: Feed | null
  search: string
  /** Null where nothing is looked for, or it could not be. */
  found: FoundPage | null
  opened: OpenedPost | null
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An address is written by anybody: what is no id names nothing. */
const idIn = (url: URL, name: string) => {
  const value = url.searchParams.get(name)
  return value && uuid.test(value) ? value : null
}

/** What an address asks for. */
function askedBy(url: URL): FeedView & { search: string } {
  const sort = url.searchParams.get('sort')
  return {
    sort: sorts.find((one) => one === sort) ?? 'newest',
    channelId: idIn(url, 'channel'),
    search: (url.searchParams.get('search') ?? '').trim().slice(0, communityLimits.search),
  }
}

async function openedPost(calls: ApiClient['community'], url: URL): Promise<OpenedPost | null> {
  if (!url.searchParams.has('post')) return null
  const postId = idIn(url, 'post')
  const commentId = idIn(url, 'comment')
  const [error, post] = postId ? await safe(calls.getPost({ postId })) : []
  if (error && !(error instanceof ORPCError && error.status < 500)) throw error
  return { postId: postId ?? '', commentId, post: post ?? null }
}

/** A channel that was removed has no posts, and no way on. */
function withoutChannel({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams)
  query.delete('channel')
  return `${pathname}?${query}`
}

/** For the page's loader; `calls` throw errors as they are (`formApi`). */
export async function loadDiscussion(
  calls: ApiClient['community'],
  slug: string,
  url: URL,
): Promise<DiscussionTab> {
  const { sort, channelId, search } = askedBy(url)
  const asOf = new Date().toISOString()
  const [[, feed], [, opened], [, found]] = await Promise.all([
    safe(calls.getFeed({ slug, sort, channelId: channelId ?? undefined })),
    safe(openedPost(calls, url)),
    safe(search ? calls.searchCommunity({ slug, search }) : Promise.resolve(null)),
  ])
  const isThere = channelId === null || feed?.channels.some(({ id }) => id === channelId)
  if (feed && !isThere) throw redirect(withoutChannel(url))
  return {
    asOf,
    sort,
    channelId,
    search,
    feed: feed ?? null,
    found: found ?? null,
    opened: opened ?? null,
  }
}

/** Where everybody reads the discussion. */
export function discussionAddress(slug: string, { sort, channelId }: Partial<FeedView> = {}) {
  const query = new URLSearchParams({ tab: 'discussion' })
  if (sort && sort !== 'newest') query.set('sort', sort)
  if (channelId) query.set('channel', channelId)
  return `/course/${slug}/dashboard?${query}`
}
