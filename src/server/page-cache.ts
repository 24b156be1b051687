import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
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

type Kept = {
  version: string
  headers: [string, string][]
  plain: Buffer
  gzip: Buffer
  brotli: Buffer
}

const maxBytes = 64 * 1024 * 1024

function accepts(request: Request, encoding: string): boolean {
  return (request.headers.get('accept-encoding') ?? '').includes(encoding)
}

function answer(request: Request, kept: Kept): Response {
  const headers = new Headers(kept.headers)
  headers.set('vary', 'accept-encoding, cookie')
  const etag = headers.get('etag')
  if (etag && request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers })
  const encoding = accepts(request, 'br') ? 'br' : accepts(request, 'gzip') ? 'gzip' : null
  const body = encoding === 'br' ? kept.brotli : encoding === 'gzip' ? kept.gzip : kept.plain
  if (encoding) headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers })
}

export function createPageCache(services: Services, pages: readonly StillPage[]) {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: (page) => page.plain.length + page.gzip.length + page.brotli.length,
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
      const version = await page.version(services, match, url.searchParams)
      if (version === null) return render(false)
      const parameters = (page.parameters ?? []).map(
        (name) => `${name}=${url.searchParams.get(name) ?? ''}`,
      )
      const key = [url.pathname, ...parameters].join('&')
      const found = kept.get(key)
      if (found?.version === version) return answer(request, found)
      const response = await render(true)
      if (response.status !== 200) return response
      const plain = Buffer.from(await response.arrayBuffer())
      const fresh: Kept = {
        version,
        headers: [
          ...response.headers,
          ['etag', `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`],
        ],
        plain,
        gzip: gzipSync(plain, { level: 7 }),
        brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
      }
      kept.set(key, fresh)
      return answer(request, fresh)
    }
    return render(false)
  }
}
