import { createHash } from 'node:crypto'
import { isKnown } from '../../server/is-known.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { beginVisit, type Visit } from '../../server/visit.ts'
import { asLongAs } from './as-long-as.ts'
import { courseAccess, isUuid } from '../courses/access.ts'
import { toWebVtt } from './caption-format.ts'
import { captionsOf } from './caption-queries.ts'
import { uploadKey } from './finish-upload.ts'
import { mediaFile } from './queries.ts'
import { mayHavePostFile } from './post-file.ts'
import { derivedType, sendDerived } from './send-derived.ts'
import { inert, say, sendFile } from './send-file.ts'
import { streamAddress } from './stream-address.ts'
import {
  claimStream,
  countsAsStream,
  type PlayAccess,
  playAccess,
  renewStream,
} from './stream-limit.ts'
import { tokenState, videoAddressHours } from './video-address.ts'

/** None of these bytes change, and nobody else has the address. */
const kept = `private, max-age=${videoAddressHours * 60 * 60}, immutable`

const notFound = () => say(404, 'Video not found')

const playsElsewhere = () =>
  say(
    409,
    'You are watching on other devices, as many as an account may use at once. Play this in its lesson to choose one that should stop.',
  )

/**
 * `/storage/v1/videos/{mediaId}/{token}/{name}`: the upload itself (`original`), what was made of it, and its
 * captions, for whoever may see the lesson now. It costs two statements, the session's and
 * the course's; the original and captions a third. `/storage/v1/post-videos/…` is the same for the video of a
 * post, which costs one more: a hidden post shows nothing. Neither opens with a token of the other. Where a CDN
 * carries films, the beginning of a stream is a redirect there. The film of a lesson needs one of the places of the
 * account (stream-limit.ts).
 */
export function createVideoDelivery(services: Services, of: 'lesson' | 'post') {
  const { db, storage, log, secret, config } = services
  const { cdn, streamsPerAccount } = config
  /** Null when this browser has a place to play it, or gets one; else what to answer. */
  async function withoutPlace(
    { course, stream, others }: PlayAccess,
    { id: userId, sessionId }: Viewer,
    name: string,
  ) {
    if (stream === 'kept' || !countsAsStream(course)) return null
    const isFull = stream === 'none' && others >= streamsPerAccount
    if (stream === 'ended' || isFull) return playsElsewhere()
    // Browsers look into an upload before anybody plays it; a stream is fetched only to be played.
    if (name === 'original') return null
    if (stream === 'fading') {
      await renewStream(db, { userId, sessionId })
      return null
    }
    const limit = streamsPerAccount
    const claimed = await claimStream(db, { userId, sessionId, limit })
    return claimed && 'streamId' in claimed ? null : playsElsewhere()
  }

  /** Null when this visitor may have it; else what to answer. */
  async function refusal(visit: Visit, mediaId: string, token: string, name: string) {
    const viewer = await visit.visitor()
    const isFilm = name === 'original' || name.startsWith('hls/')
    const isLimited = of === 'lesson' && streamsPerAccount > 0 && isFilm
    const play = isLimited ? await playAccess(db, viewer, mediaId) : null
    const course = isLimited ? play?.course : await courseAccess(db, viewer, { mediaId })
    const isPreview = of === 'lesson' && course?.isPreview === true
    if (!viewer && !isPreview) return say(401, 'User must be authenticated')
    if (!course?.canSee) return notFound()
    if (!course.canLearn && !isPreview) return say(403, 'Join this course to see this.')
    if (of === 'post' && viewer && !(await mayHavePostFile(db, viewer, course, mediaId)))
      return notFound()
    const states = [tokenState(token, { mediaId, viewerId: viewer?.id ?? null, secret, of })]
    // Who signs in while a preview plays may see its end.
    if (isPreview) states.push(tokenState(token, { mediaId, viewerId: null, secret }))
    if (states.includes('good')) return play && viewer ? withoutPlace(play, viewer, name) : null
    return states.includes('expired')
      ? say(403, `This address has expired. Please load the page of the ${of} again.`)
      : say(403, `This address was made for somebody else. Please open the ${of} yourself.`)
  }

  async function original(
    request: Request,
    mediaId: string,
    mayGoOn: () => Promise<boolean>,
  ): Promise<Response> {
    const row = await mediaFile(db, mediaId)
    const purpose = of === 'post' ? 'post_video' : 'video'
    if (row?.purpose !== purpose || row.status !== 'ready') return notFound()
    const key = uploadKey(mediaId)
    const size = await storage.size(key)
    if (size === null) {
      log.error({ mediaId }, 'the bytes of a video are missing')
      return notFound()
    }
    const type = row.contentType ?? 'application/octet-stream'
    const file = { key, size, etag: `"${mediaId}"`, type, cacheControl: kept }
    const answer = sendFile(storage, request, file)
    return answer.body ? new Response(asLongAs(answer.body, mayGoOn), answer) : answer
  }

  async function captions(request: Request, mediaId: string, language: string) {
    const cues = await captionsOf(db, mediaId, language)
    if (!cues) return say(404, 'Captions not found')
    const text = toWebVtt(cues)
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    const headers = {
      ...inert,
      'content-type': 'text/vtt; charset=utf-8',
      // Their creator may mend them at any time.
      'cache-control': 'private, no-cache',
      etag,
    }
    if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
    return new Response(request.method === 'HEAD' ? null : text, { headers })
  }

  return async (
    request: Request,
    visit: Visit,
    { id, token, name }: { id: string; token: string; name: string },
  ): Promise<Response> => {
    const mediaId = id.toLowerCase()
    const isDerived = derivedType(name) !== null
    const language = /^captions\/([A-Za-z0-9-]{2,35})\.vtt$/.exec(name)?.[1]
    const isSomething = isUuid(mediaId) && (name === 'original' || isDerived || language)
    if (!isSomething) {
      return (await visit.visitor()) ? notFound() : say(401, 'User must be authenticated')
    }
    const refused = await refusal(visit, mediaId, token, name)
    if (refused) return refused
    if (cdn && name === 'hls/main.m3u8') {
      const viewer = await visit.visitor()
      const address = streamAddress({ mediaId, viewerId: viewer?.id ?? null }, cdn)
      // Whatever the playlists name is relative to where they came from, and so behind the same signature.
      const location = `${address}/main.m3u8`
      return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })
    }
    if (isDerived) {
      const file = { mediaId, name, cacheControl: kept }
      return (await sendDerived(storage, request, file)) ?? notFound()
    }
    if (language) return captions(request, mediaId, language)
    /** Asked anew: who was let in may be signed out, or suspended, by now. */
    async function mayGoOn() {
      const now = beginVisit(services, request, visit.address)
      if ((await now.visitor())?.suspendedAt) return false
      return (await refusal(now, mediaId, token, name)) === null
    }
    return original(request, mediaId, mayGoOn)
  }
}
