import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { isUuid } from '../courses/access.ts'
import { createVideoDelivery } from './deliver-video.ts'
import { pictureShapes } from './rules.ts'
import { inert, isKnown, say } from './send-file.ts'
import { imageKey } from './store-image.ts'

const imageWidths = Object.values(pictureShapes).flatMap(({ widths }) => widths)

/**
 * Serves stored files: `/storage/v1/videos/{mediaId}/{token}/…` to members, the instructor and admins (see
 * deliver-video.ts); `/storage/v1/images/{mediaId}/{width}.webp` to everybody. Answers GET and HEAD.
 */
export function createDelivery(
  services: Services,
  findVisitor: (request: Request) => Promise<Viewer | null>,
): (request: Request) => Promise<Response> {
  const { storage } = services
  const video = createVideoDelivery(services, findVisitor)

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
    if (isKnown(request, etag)) {
      headers.delete('content-length')
      return new Response(null, { status: 304, headers })
    }
    return new Response(request.method === 'HEAD' ? null : storage.read(key), { headers })
  }

  return async (request) => {
    const [kind, mediaId = '', third = '', ...rest] = new URL(request.url).pathname
      .slice('/storage/v1/'.length)
      .split('/')
    if (kind === 'videos') return video(request, mediaId, third, rest.join('/'))
    const width = imageWidths.find((one) => third === `${one}.webp`)
    if (kind === 'images' && isUuid(mediaId) && width && rest.length === 0) {
      return image(request, mediaId.toLowerCase(), width)
    }
    return say(404, 'There is nothing at this address.')
  }
}
