import type { Services } from '../../server/services.ts'
import { say } from './send-file.ts'
import { sendDerived } from './send-derived.ts'
import { streamSecondsLeft } from './stream-address.ts'

/** Scripts of our pages ask the CDN, which is another origin. Cookies open nothing here, so all may ask. */
function openToScripts(response: Response): Response {
  response.headers.set('access-control-allow-origin', '*')
  return response
}

/**
 * `/storage/v1/streams/{mediaId}/{token}/{name}`: what a CDN fetches, with the address that a viewer was given
 * (stream-address.ts). Nobody is asked who they are, and nothing of the database.
 */
export function createStreamDelivery({ storage, config: { cdn } }: Services) {
  return async (request: Request, mediaId: string, token: string, name: string) => {
    if (!cdn) return say(404, 'There is nothing at this address.')
    const left = streamSecondsLeft({ mediaId, token }, cdn)
    if (left === null) {
      return openToScripts(
        say(403, 'This address has expired, or was never given out. Please load the page again.'),
      )
    }
    // A cache that does not look at signatures keeps it for as long as the one in its address is good.
    const cacheControl = `public, max-age=${left}, immutable`
    const file = { mediaId, name: `hls/${name}`, cacheControl }
    const sent = await sendDerived(storage, request, file)
    return openToScripts(sent ?? say(404, 'Video not found'))
  }
}
