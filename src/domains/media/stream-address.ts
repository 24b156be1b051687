import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Cdn } from '../../server/config.ts'

/** Seconds. */
const hour = 60 * 60

/** Hours that a signature is good for, counted from the start of the hour in which it was made. */
const streamAddressHours = 2

const hmac = (text: string, { secret }: Cdn) =>
  createHmac('sha256', secret).update(text).digest('base64url')

/** What is signed: the path up to the signature. Everything behind it is opened by the one signature. */
const signedPart = (mediaId: string, terms: string) => `/storage/v1/streams/${mediaId}/${terms}`

/** Tells whose address it is to who has the secret, and nothing to anybody else. */
const holderMark = (viewerId: string | null, cdn: Cdn) =>
  hmac(`holder ${viewerId ?? 'nobody'}`, cdn).slice(0, 16)

/**
 * Where the stream of a video is at the CDN: `/main.m3u8` and all that it names are put behind it. Nobody is
 * asked there who somebody is, so it is handed out only right after access was checked. The same for a whole
 * hour, so that a browser may keep what it has.
 */
export function streamAddress(
  {
    mediaId,
    viewerId,
    now = Date.now(),
  }: { mediaId: string; viewerId: string | null; now?: number },
  cdn: Cdn,
): string {
  const expires = (Math.floor(now / 1000 / hour) + streamAddressHours) * hour
  const part = signedPart(mediaId, `${expires}.${holderMark(viewerId, cdn)}`)
  return `${cdn.origin}${part}.${hmac(part, cdn)}`
}

/** Seconds that an address is still good for; null for one that we did not make, or that is over. */
export function streamSecondsLeft(
  { mediaId, token, now = Date.now() }: { mediaId: string; token: string; now?: number },
  cdn: Cdn,
): number | null {
  const [, terms = '', expires = '', given = ''] =
    /^((\d{10})\.[\w-]{16})\.([\w-]{43})$/.exec(token) ?? []
  const expected = hmac(signedPart(mediaId, terms), cdn)
  if (given.length !== expected.length) return null
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return null
  const left = Number(expires) - Math.floor(now / 1000)
  return left > 0 ? left : null
}
