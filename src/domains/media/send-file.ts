import { isKnown } from '../../server/is-known.ts'
import type { Storage } from '../../server/storage.ts'
import { requestedRange } from './byte-range.ts'

export const say = (status: number, message: string) =>
  new Response(message, { status, headers: { 'cache-control': 'no-store' } })

/** Whatever the bytes are, a browser must neither guess their type nor run what is in them. */
export const inert = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'content-disposition': 'inline',
}

type StoredFile = { key: string; size: number; etag: string; type: string; cacheControl: string }

/** A stored file or the asked part of it, for GET and HEAD (RFC 9110, sections 13 and 14). */
export function sendFile(storage: Storage, request: Request, file: StoredFile): Response {
  const { key, size, etag } = file
  const headers = new Headers({
    ...inert,
    'content-type': file.type,
    'accept-ranges': 'bytes',
    'cache-control': file.cacheControl,
    etag,
  })
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
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
