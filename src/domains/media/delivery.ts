import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { courseAccess, isUuid } from '../courses/access.ts'
import { requestedRange } from './byte-range.ts'
import { uploadKey } from './finish-upload.ts'
import { mediaFile } from './queries.ts'
import { pictureShapes } from './rules.ts'
import { imageKey } from './store-image.ts'

const say = (status: number, message: string) =>
  new Response(message, { status, headers: { 'cache-control': 'no-store' } })

/** Whatever the bytes are, a browser must neither guess their type nor run what is in them. */
const inert = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
}

const imageWidths = Object.values(pictureShapes).flatMap(({ widths }) => widths)

const names = (header: string | null, etag: string) =>
  header !== null && (header.trim() === '*' || header.split(',').some((one) => one.trim() === etag))

/**
 * Serves stored files: `/storage/v1/videos/{mediaId}` to members, the instructor and admins, with byte
 * ranges so that a player can seek; `/storage/v1/images/{mediaId}/{width}.webp` to everybody.
 * Answers GET and HEAD.
 */
export function createDelivery(
  services: Services,
  findVisitor: (request: Request) => Promise<Viewer | null>,
): (request: Request) => Promise<Response> {
  const { db, storage, log } = services

  async function video(request: Request, mediaId: string): Promise<Response> {
    const viewer = await findVisitor(request)
    if (!viewer) return say(401, 'User must be authenticated')
    if (!isUuid(mediaId)) return say(404, 'Video not found')
    const course = await courseAccess(db, viewer, { mediaId })
    if (!course?.canSee) return say(404, 'Video not found')
    if (!course.canLearn) return say(403, 'Join this course to see this.')
    const row = await mediaFile(db, mediaId)
    if (row?.purpose !== 'video' || row.status !== 'ready') return say(404, 'Video not found')
    const key = uploadKey(row.id)
    const size = await storage.size(key)
    if (size === null) {
      log.error({ mediaId: row.id }, 'the bytes of a video are missing')
      return say(404, 'Video not found')
    }

    const etag = `"${row.id}"`
    const headers = new Headers({
      ...inert,
      'content-type': row.contentType ?? 'application/octet-stream',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600',
      etag,
    })
    if (names(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers })
    const ifRange = request.headers.get('if-range')
    const isCurrent = ifRange === null || ifRange.trim() === etag
    const range = requestedRange(isCurrent ? request.headers.get('range') : null, size)
    if (range === 'none') {
      headers.set('content-range', `bytes */${size}`)
      headers.delete('content-type')
      return new Response(null, { status: 416, headers })
    }
    if (range === 'all') headers.set('content-length', String(size))
    else {
      headers.set('content-length', String(range.end - range.start + 1))
      headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`)
    }
    const status = range === 'all' ? 200 : 206
    if (request.method === 'HEAD') return new Response(null, { status, headers })
    return new Response(storage.read(key, range === 'all' ? undefined : range), { status, headers })
  }

  async function image(request: Request, mediaId: string, width: number): Promise<Response> {
    const key = imageKey(mediaId, width)
    const size = await storage.size(key)
    if (size === null) return say(404, 'Image not found')
    const etag = `"${mediaId}-${width}"`
    const headers = new Headers({
      ...inert,
      'content-type': 'image/webp',
      'content-length': String(size),
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
    })
    if (names(request.headers.get('if-none-match'), etag)) {
      headers.delete('content-length')
      return new Response(null, { status: 304, headers })
    }
    return new Response(request.method === 'HEAD' ? null : storage.read(key), { headers })
  }

  return async (request) => {
    const [kind, mediaId = '', file = '', ...rest] = new URL(request.url).pathname
      .slice('/storage/v1/'.length)
      .split('/')
    if (kind === 'videos' && mediaId !== '' && file === '' && rest.length === 0)
      return video(request, mediaId)
    const width = imageWidths.find((one) => file === `${one}.webp`)
    if (kind === 'images' && isUuid(mediaId) && width && rest.length === 0) {
      return image(request, mediaId.toLowerCase(), width)
    }
    return say(404, 'There is nothing at this address.')
  }
}
