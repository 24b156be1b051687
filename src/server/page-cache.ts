import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { finished, type Packing, packingFor } from './packing.ts'
import { secureAnswer } from './security.ts'
import type { Services } from './services.ts'

/**
 * Pages of signed-out visitors, kept per address with the version of everything they show. The version
 * is read from the database on each request, so a kept page is never stale: it costs one indexed query
 * instead of a render.
 */
export interface StillPage {
  path: RegExp
  /** Names what the page shows now; null when there is nothing to keep (unknown, or not public). */
  version: (
    services: Services,
    match: RegExpMatchArray,
    search: URLSearchParams,
  ) => Promise<string | null>
  /** Query parameters that change the page; others are ignored. */
  parameters?: readonly string[]
}

interface Kept {
  version: string
  etag: string
  headers: Record<string, string>
  brotli: Buffer<ArrayBuffer>
  /** Made when a visitor without brotli asks. */
  gzip?: Buffer<ArrayBuffer>
}

const maxBytes = 64 * 1024 * 1024

function bodyOf(kept: Kept, packing: Packing | null): Buffer<ArrayBuffer> {
  if (packing === 'br') return kept.brotli
  if (packing === null) return brotliDecompressSync(kept.brotli)
  return (kept.gzip ??= gzipSync(brotliDecompressSync(kept.brotli), { level: 7 }))
}

// Plain objects, because `Headers` would cost more than the rest of the answer.
function answer(request: Request, kept: Kept): Response {
  const known = request.headers.get('if-none-match') === kept.etag
  const packing = packingFor(request)
  const body = known ? null : bodyOf(kept, packing)
  const headers = { ...kept.headers }
  if (body && packing) headers['content-encoding'] = packing
  if (body) headers['content-length'] = String(body.length)
  const response = new Response(request.method === 'HEAD' ? null : body, {
    status: known ? 304 : 200,
    headers,
  })
  finished.add(response)
  return response
}

async function keep(version: string, response: Response, appUrl: string): Promise<Kept> {
  const plain = Buffer.from(await response.arrayBuffer())
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  secureAnswer(response.headers, appUrl)
  return {
    version,
    etag,
    headers: { ...Object.fromEntries(response.headers), vary: 'accept-encoding, cookie', etag },
    brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  }
}

export function createPageCache(services: Services, pages: readonly StillPage[]) {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    // Room for the gzip beside it, and for headers.
    sizeCalculation: (page) => page.brotli.length * 2 + 2048,
  })

  /** The kept page when it is still true, else what `render` makes, kept for the next visitor. */
  return async function throughCache(
    request: Request,
    /** `kept` tells whether the answer is going to be shown to others too. */
    render: (kept: boolean) => Promise<Response>,
  ): Promise<Response> {
    const url = new URL(request.url)
    for (const page of pages) {
      const match = url.pathname.match(page.path)
      if (!match) continue
      const shown = await page.version(services, match, url.searchParams)
      if (shown === null) return render(false)
      // Whatever is switched off or on, pages say so themselves.
      const version = `${shown} ${services.features.version}`
      // All values of each: of a parameter that stands there twice a page may go by either.
      const parameters = (page.parameters ?? []).map((name) => url.searchParams.getAll(name))
      const key = JSON.stringify([url.pathname, ...parameters])
      const found = kept.get(key)
      if (found?.version === version) return answer(request, found)
      const response = await render(true)
      // The answer to a HEAD has no page in it.
      if (response.status !== 200 || request.method === 'HEAD') return response
      const fresh = await keep(version, response, services.config.appUrl)
      kept.set(key, fresh)
      return answer(request, fresh)
    }
    return render(false)
  }
}
