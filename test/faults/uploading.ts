// An upload by the tus protocol, by hand: what the server has acknowledged of it is known to the byte.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

const lesson = readFileSync('test/fixtures/lesson.mp4')

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The fixture with a box of noise behind it: still a film, and no two alike. */
export function filmOf(size: number): Buffer {
  const noise = randomBytes(size - lesson.length)
  noise.writeUInt32BE(noise.length, 0)
  noise.write('free', 4, 'latin1')
  return Buffer.concat([lesson, noise])
}

const metadataOf = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

const answered = async (response: Response) => ({
  status: response.status,
  said: await response.text(),
  offset: Number(response.headers.get('upload-offset')),
  location: response.headers.get('location') ?? '',
})

export function uploader(url: string, cookie: string) {
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: Uint8Array,
  ) =>
    answered(
      await fetch(url + path, {
        method,
        headers: { 'tus-resumable': '1.0.0', cookie, ...headers },
        body: body as BodyInit,
      }),
    )
  return {
    begin: (size: number, metadata: Record<string, string>) =>
      send('POST', '/storage/v1/uploads', {
        'upload-length': String(size),
        'upload-metadata': metadataOf(metadata),
      }),
    patch: (path: string, bytes: Uint8Array, offset: number) =>
      send(
        'PATCH',
        path,
        { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        bytes,
      ),
    look: (path: string) => send('HEAD', path, {}),
  }
}

export const videoOf = (courseId: string) => ({
  purpose: 'video',
  courseId,
  filename: 'a.mp4',
  filetype: 'video/mp4',
})

export const avatar = { purpose: 'avatar', filename: 'a.png', filetype: 'image/png' }

export const idIn = (location: string) => location.slice(location.lastIndexOf('/') + 1)
