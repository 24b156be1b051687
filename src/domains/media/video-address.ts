import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Purpose } from './rules.ts'

const hour = 60 * 60 * 1000

/** Hours that an address is good for, counted from the start of the hour in which it was made. */
export const videoAddressHours = 6

type Holder = {
  mediaId: string
  /** Null for a visitor who is signed out and watches a free preview. */
  viewerId: string | null
  /** `services.secret`. */
  secret: string
  /** 'post' for one that stands in the community: its addresses open by the state of the post. */
  of?: 'lesson' | 'post'
  now?: number
}

const signature = ({ mediaId, viewerId, secret, of }: Holder, expires: string) =>
  createHmac('sha256', secret)
    .update(
      `${of === 'post' ? 'post ' : ''}video address 1 ${mediaId.toLowerCase()} ${viewerId ?? 'nobody'} ${expires}`,
    )
    .digest('base64url')

/** The hour (since 1970) in which addresses of now end: the same for a whole hour, so that a browser may keep what it has. */
export const videoAddressEnd = (now = Date.now()) => Math.floor(now / hour) + videoAddressHours

/**
 * Where everything of a video is for this person, until it expires: `/original`, `/poster.jpg`, … are
 * put behind it (media/delivery.ts). It opens nothing to whoever may not see the lesson.
 */
export function videoAddress(holder: Holder): string {
  const expires = videoAddressEnd(holder.now).toString(36)
  const folder = holder.of === 'post' ? 'post-videos' : 'videos'
  return `/storage/v1/${folder}/${holder.mediaId}/${expires}.${signature(holder, expires)}`
}

/** Where the owner of an upload plays it; null until it is ready. */
export const ownVideoUrl = (
  file: { id: string; status: string; purpose?: Purpose },
  viewerId: string,
  secret: string,
): string | null =>
  file.status === 'ready'
    ? `${videoAddress({ mediaId: file.id, viewerId, secret, of: file.purpose === 'post_video' ? 'post' : 'lesson' })}/original`
    : null

/** What the token in an address is worth in the hands of this person. */
export function tokenState(token: string, holder: Holder): 'good' | 'expired' | 'foreign' {
  const [expires = '', given = ''] = token.split('.', 2)
  const [expected, received] = [Buffer.from(signature(holder, expires)), Buffer.from(given)]
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 'foreign'
  const now = holder.now ?? Date.now()
  return Number.parseInt(expires, 36) * hour > now ? 'good' : 'expired'
}
