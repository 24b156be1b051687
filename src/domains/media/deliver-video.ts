import { createHash } from 'node:crypto'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { courseAccess, isUuid } from '../courses/access.ts'
import { toWebVtt } from './caption-format.ts'
import { captionsOf } from './caption-queries.ts'
import { derivedKey } from './derived-files.ts'
import { uploadKey } from './finish-upload.ts'
import { mediaFile } from './queries.ts'
import { mayHavePostFile } from './post-file.ts'
import { inert, isKnown, say, sendFile } from './send-file.ts'
import { tokenState, videoAddressHours } from './video-address.ts'

/** What is made of a video and may be asked for: no other name leads to the disk. */
const derivedNames: { name: RegExp; type: string }[] = [
  { name: /^(?:poster|preview)\.jpg$/, type: 'image/jpeg' },
  { name: /^preview\.vtt$/, type: 'text/vtt; charset=utf-8' },
  { name: /^hls\/(?:main|\d{2,4}p\/index)\.m3u8$/, type: 'application/vnd.apple.mpegurl' },
  { name: /^hls\/\d{2,4}p\/[\w-]{1,40}\.(?:m4s|mp4)$/, type: 'video/mp4' },
  { name: /^hls\/\d{2,4}p\/[\w-]{1,40}\.ts$/, type: 'video/mp2t' },
]

/** None of these bytes change, and nobody else has the address. */
const kept = `private, max-age=${videoAddressHours * 60 * 60}, immutable`

const notFound = () => say(404, 'Video not found')

/**
 * `/storage/v1/videos/{mediaId}/{token}/{name}`: the upload itself (`original`), what was made of it, and its
 * captions, for whoever may see the lesson now. It costs two statements, the session's and
 * the course's; the original and captions a third. `/storage/v1/post-videos/…` is the same for the video of a
 * post, which costs one more: a hidden post shows nothing. Neither opens with a token of the other.
 */
export function createVideoDelivery(
  { db, storage, log, secret }: Services,
  findVisitor: (request: Request) => Promise<Viewer | null>,
  of: 'lesson' | 'post',
) {
  /** Null when this visitor may have it; else what to answer. */
  async function refusal(request: Request, mediaId: string, token: string) {
    const viewer = await findVisitor(request)
    const course = await courseAccess(db, viewer, { mediaId })
    const isPreview = of === 'lesson' && course?.isPreview === true
    if (!viewer && !isPreview) return say(401, 'User must be authenticated')
    if (!course?.canSee) return notFound()
    if (!course.canLearn && !isPreview) return say(403, 'Join this course to see this.')
    if (of === 'post' && viewer && !(await mayHavePostFile(db, viewer, course, mediaId)))
      return notFound()
    const states = [tokenState(token, { mediaId, viewerId: viewer?.id ?? null, secret, of })]
    // Who signs in while a preview plays may see its end.
    if (isPreview) states.push(tokenState(token, { mediaId, viewerId: null, secret }))
    if (states.includes('good')) return null
    return states.includes('expired')
      ? say(403, `This address has expired. Please load the page of the ${of} again.`)
      : say(403, `This address was made for somebody else. Please open the ${of} yourself.`)
  }

  async function original(request: Request, mediaId: string): Promise<Response> {
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
    return sendFile(storage, request, {
      key,
      size,
      etag: `"${mediaId}"`,
      type,
      cacheControl: kept,
    })
  }

  async function derived(request: Request, mediaId: string, name: string, type: string) {
    const key = derivedKey(mediaId, name)
    const size = await storage.size(key)
    if (size === null) return notFound()
    // Made again, it may differ: then so does its size.
    const etag = `"${mediaId}-${name.replaceAll('/', '-')}-${size}"`
    return sendFile(storage, request, { key, size, etag, type, cacheControl: kept })
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

  return async (request: Request, id: string, token: string, name: string): Promise<Response> => {
    const mediaId = id.toLowerCase()
    const found = derivedNames.find((one) => one.name.test(name))
    const language = /^captions\/([A-Za-z0-9-]{2,35})\.vtt$/.exec(name)?.[1]
    const isSomething = isUuid(mediaId) && (name === 'original' || found || language)
    if (!isSomething) {
      return (await findVisitor(request)) ? notFound() : say(401, 'User must be authenticated')
    }
    const refused = await refusal(request, mediaId, token)
    if (refused) return refused
    if (found) return derived(request, mediaId, name, found.type)
    return language ? captions(request, mediaId, language) : original(request, mediaId)
  }
}
