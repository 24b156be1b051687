import { isKnown } from '../../server/is-known.ts'
import type { Services } from '../../server/services.ts'
import type { Visit } from '../../server/visit.ts'
import { courseAccess, isUuid } from '../courses/access.ts'
import { createStreamDelivery } from './deliver-stream.ts'
import { createVideoDelivery } from './deliver-video.ts'
import { pictureShapes } from './rules.ts'
import { mayHavePostFile } from './post-file.ts'
import { inert, say } from './send-file.ts'
import { imageKey, postImageKey } from './store-image.ts'

const imageWidths = Object.values(pictureShapes).flatMap(({ widths }) => widths)

/**
 * Serves stored files: `/storage/v1/videos/{mediaId}/{token}/…` to members, the instructor and admins (see
 * deliver-video.ts); `/storage/v1/streams/…` to a CDN (see deliver-stream.ts); `/storage/v1/post-images/{mediaId}/{width}.webp` to the same people, as long as the post is
 * shown to them; `/storage/v1/images/{mediaId}/{width}.webp` to everybody. Answers GET and HEAD.
 */
export function createDelivery(
  services: Services,
): (request: Request, visit: Visit) => Promise<Response> {
  const { db, storage } = services
  const video = createVideoDelivery(services, 'lesson')
  const postVideo = createVideoDelivery(services, 'post')
  const stream = createStreamDelivery(services)

  async function postImage(
    request: Request,
    visit: Visit,
    { mediaId, width }: { mediaId: string; width: number },
  ): Promise<Response> {
    const viewer = await visit.visitor()
    if (!viewer) return say(401, 'User must be authenticated')
    const course = await courseAccess(db, viewer, { mediaId })
    if (!course?.canSee) return say(404, 'Image not found')
    if (!course.canLearn) return say(403, 'Join this course to see this.')
    if (!(await mayHavePostFile(db, viewer, course, mediaId))) return say(404, 'Image not found')
    return image(
      request,
      { mediaId, width },
      postImageKey(mediaId, width),
      // The next person at this browser has another cookie, and not what was kept for this one.
      { 'cache-control': 'private, max-age=86400, immutable', vary: 'cookie' },
    )
  }

  async function image(
    request: Request,
    { mediaId, width }: { mediaId: string; width: number },
    key = imageKey(mediaId, width),
    caching: Record<string, string> = { 'cache-control': 'public, max-age=31536000, immutable' },
  ): Promise<Response> {
    const size = await storage.size(key)
    if (size === null) return say(404, 'Image not found')
    const etag = `"${mediaId}-${width}"`
    const headers = new Headers({
      ...inert,
      'content-type': 'image/webp',
      'content-length': String(size),
      ...caching,
      etag,
    })
    if (isKnown(request, etag)) {
      headers.delete('content-length')
      return new Response(null, { status: 304, headers })
    }
    return new Response(request.method === 'HEAD' ? null : storage.read(key), { headers })
  }

  return async (request, visit) => {
    const [kind, mediaId = '', third = '', ...rest] = new URL(request.url).pathname
      .slice('/storage/v1/'.length)
      .split('/')
    const file = { id: mediaId, token: third, name: rest.join('/') }
    if (kind === 'videos') return video(request, visit, file)
    if (kind === 'post-videos') return postVideo(request, visit, file)
    if (kind === 'streams') return stream(request, mediaId, third, rest.join('/'))
    if (kind === 'post-images' && isUuid(mediaId) && rest.length === 0) {
      const name = /^(\d{2,4})\.webp$/.exec(third)?.[1]
      if (name) {
        return postImage(request, visit, { mediaId: mediaId.toLowerCase(), width: Number(name) })
      }
    }
    const width = imageWidths.find((one) => third === `${one}.webp`)
    if (kind === 'images' && isUuid(mediaId) && width && rest.length === 0) {
      return image(request, { mediaId: mediaId.toLowerCase(), width })
    }
    return say(404, 'There is nothing at this address.')
  }
}
