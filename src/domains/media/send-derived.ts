import type { Storage } from '../../server/storage.ts'
import { derivedKey } from './derived-files.ts'
import { sendFile } from './send-file.ts'

/** What is made of a video and may be asked for: no other name leads to the store. */
const derivedNames: { name: RegExp; type: string }[] = [
  { name: /^(?:poster|preview)\.jpg$/, type: 'image/jpeg' },
  { name: /^preview\.vtt$/, type: 'text/vtt; charset=utf-8' },
  { name: /^hls\/(?:main|\d{2,4}p\/index)\.m3u8$/, type: 'application/vnd.apple.mpegurl' },
  { name: /^hls\/\d{2,4}p\/[\w-]{1,40}\.(?:m4s|mp4)$/, type: 'video/mp4' },
  { name: /^hls\/\d{2,4}p\/[\w-]{1,40}\.ts$/, type: 'video/mp2t' },
]

export const derivedType = (name: string): string | null =>
  derivedNames.find((one) => one.name.test(name))?.type ?? null

type Derived = { mediaId: string; name: string; cacheControl: string }

/** Null when there is no such file. */
export async function sendDerived(
  storage: Storage,
  request: Request,
  { mediaId, name, cacheControl }: Derived,
): Promise<Response | null> {
  const type = derivedType(name)
  if (type === null) return null
  const key = derivedKey(mediaId, name)
  const size = await storage.size(key)
  if (size === null) return null
  // Made again, it may differ: then so does its size.
  const etag = `"${mediaId}-${name.replaceAll('/', '-')}-${size}"`
  return sendFile(storage, request, { key, size, etag, type, cacheControl })
}
