import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isKnown } from './is-known.ts'
import { packingFor } from './packing.ts'

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

async function keep(text: string) {
  const plain = Buffer.from(text)
  // Beside the thread that answers: once, and well.
  const [br, gzipped] = await Promise.all([
    packBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    packGzip(plain, { level: 9 }),
  ])
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, br, gzip: gzipped }
}

/** Answers with what is the same for everybody as long as this process lives: made and packed at the first visit. */
export function keptText(make: () => Promise<string>, given: Record<string, string>) {
  let kept: ReturnType<typeof keep> | undefined
  return async (request: Request): Promise<Response> => {
    kept ??= make().then(keep)
    // What failed is tried again at the next visit.
    kept.catch(() => (kept = undefined))
    const { etag, ...bodies } = await kept
    const headers = { 'cache-control': 'no-cache', ...given, etag, vary: 'accept-encoding' }
    if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
    const packing = packingFor(request)
    const body = bodies[packing ?? 'plain']
    const encoding = packing && { 'content-encoding': packing }
    return new Response(body, {
      headers: { ...headers, ...encoding, 'content-length': String(body.length) },
    })
  }
}
