// Films through nginx as docs/cdn sets it up. `npm run prove:cdn` says where it is; without it there is nothing to try.
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { courses } from '../src/domains/courses/tables.ts'
import { enrollments } from '../src/domains/enrollment/tables.ts'
import { emptyRichText } from '../src/domains/lessons/rich-text.ts'
import { derivedKey } from '../src/domains/media/derived-files.ts'
import { streamAddress } from '../src/domains/media/stream-address.ts'
import { mediaFiles } from '../src/domains/media/tables.ts'
import { videoAddress } from '../src/domains/media/video-address.ts'
import { type Person, startTestApp, type TestApp } from './app.ts'

const nginx = process.env.TEST_NGINX
const secret = 'a secret that the CDN has as well'
const segment = 'four seconds of a film'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

async function startCdn(program: string, port: number, origin: string) {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-cdn-'))
  const log = join(folder, 'log')
  const values: Record<string, string> = {
    LISTEN: `127.0.0.1:${port}`,
    ORIGIN: origin,
    FOLDER: folder,
  }
  const written = await readFile('docs/cdn/nginx.conf', 'utf8')
  const settings = written
    .split('\n')
    .map((line) =>
      line.trim().startsWith('#')
        ? line
        : line.replace(/\b(LISTEN|ORIGIN|FOLDER)\b/g, (name) => values[name]!),
    )
    .join('\n')
  await writeFile(join(folder, 'nginx.conf'), settings)
  await copyFile('docs/cdn/verify-stream.js', join(folder, 'verify-stream.js'))
  // Where nginx looks for modules is its own; what it writes is the folder's.
  const more = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  await writeFile(
    join(folder, 'nginx.conf'),
    settings.replace('http {', `http {\naccess_log off;\n${more.join('\n')}`),
  )
  const global = `daemon off; pid ${folder}/pid; ${process.getuid?.() === 0 ? 'user root;' : ''}`
  const child: ChildProcess = spawn(
    program,
    ['-p', '/usr/share/nginx', '-c', join(folder, 'nginx.conf'), '-e', log, '-g', global],
    { env: { CDN_SECRET: secret }, stdio: 'ignore' },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${await readFile(log, 'utf8')}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return stop
}

describe.skipIf(!nginx)('a CDN that knows the secret', () => {
  let app: TestApp
  let stopCdn = async () => {}
  let people: Person[]
  let mediaId: string
  let cdn: { origin: string; secret: string }

  beforeAll(async () => {
    const port = await freePort()
    cdn = { origin: `http://127.0.0.1:${port}`, secret }
    app = await startTestApp({ CDN_URL: cdn.origin, CDN_SECRET: secret })
    stopCdn = await startCdn(nginx!, port, new URL(app.url).host)
    people = await Promise.all([app.signUp(), app.signUp(), app.signUp()])
    const { db, storage } = app.services
    const [owner, ...members] = people
    const about = { slug: 'films', title: 'Films', description: emptyRichText, category: 'Art' }
    const [course] = await db
      .insert(courses)
      .values({ ...about, instructorId: owner!.id, status: 'published' })
      .returning()
    const courseId = course!.id
    await db.insert(enrollments).values(members.map(({ id }) => ({ courseId, userId: id })))
    const [file] = await db
      .insert(mediaFiles)
      .values({
        ownerId: owner!.id,
        courseId,
        purpose: 'video',
        status: 'ready',
        filename: 'a.mp4',
        contentType: 'video/mp4',
        sizeBytes: 4,
      })
      .returning()
    mediaId = file!.id
    for (const [name, text] of [
      ['main.m3u8', '#EXTM3U\n360p/index.m3u8\n'],
      ['360p/index.m3u8', '#EXTM3U\n00000.m4s\n00001.m4s\n'],
      ['360p/00000.m4s', segment],
      ['360p/00001.m4s', segment],
    ] as const) {
      await storage.put(derivedKey(mediaId, `hls/${name}`), Buffer.from(text))
    }
  })
  afterAll(async () => {
    await stopCdn()
    await app?.stop()
  })

  /** The playlist, as a player gets it: from us, and then from where we say. */
  async function begin({ id, cookie }: Person) {
    const base = videoAddress({ mediaId, viewerId: id, secret: app.services.secret })
    const answer = await fetch(`${app.url}${base}/hls/main.m3u8`, { headers: { cookie } })
    expect([answer.status, await answer.text()]).toEqual([200, '#EXTM3U\n360p/index.m3u8\n'])
    expect(answer.url.startsWith(`${cdn.origin}/storage/v1/streams/${mediaId}/`)).toBe(true)
    return answer.url
  }

  test('asks for a segment once, and gives it to everybody with an address of their own', async () => {
    const [, first, second] = people
    const [one, other] = [await begin(first!), await begin(second!)]
    expect(one).not.toBe(other)
    const of = (main: string) => new URL('360p/00000.m4s', main)
    const asked = await fetch(of(one))
    expect([asked.status, await asked.text(), asked.headers.get('x-cache')]).toEqual([
      200,
      segment,
      'MISS',
    ])
    // It is not here any more, so what comes now was kept there.
    await app.services.storage.remove(derivedKey(mediaId, 'hls/360p/00000.m4s'))
    const kept = await fetch(of(other))
    expect([kept.status, await kept.text(), kept.headers.get('x-cache')]).toEqual([
      200,
      segment,
      'HIT',
    ])
    expect(kept.headers.get('access-control-allow-origin')).toBe('*')
    const [, seconds] = /^public, max-age=(\d+), immutable$/.exec(
      kept.headers.get('cache-control') ?? '',
    )!
    expect(Number(seconds)).toBeLessThanOrEqual(2 * 60 * 60)
    const part = await fetch(of(other), { headers: { range: 'bytes=5-11' } })
    expect([part.status, await part.text()]).toEqual([206, 'seconds'])
  })

  test('refuses by itself what is over, forged, of another film, or bears no signature', async () => {
    const name = '360p/00001.m4s'
    const good = streamAddress({ mediaId, viewerId: people[1]!.id }, cdn)
    expect((await fetch(`${good}/${name}`)).status).toBe(200)
    const [expires, holder, signature] = good.split('/').at(-1)!.split('.') as [
      string,
      string,
      string,
    ]
    const at = (...parts: string[]) =>
      `${cdn.origin}/storage/v1/streams/${mediaId}/${parts.join('.')}`
    const hours = (count: number) => Date.now() - count * 60 * 60 * 1000
    for (const [what, folder] of [
      ['over', streamAddress({ mediaId, viewerId: people[1]!.id, now: hours(2) }, cdn)],
      ['forged', streamAddress({ mediaId, viewerId: people[1]!.id }, { ...cdn, secret: 'guess' })],
      ['a later end', at(String(Number(expires) + 3600), holder, signature)],
      ['another holder', at(expires, 'A'.repeat(16), signature)],
      ['of another film', good.replace(mediaId, '00000000-0000-7000-8000-000000000001')],
      ['a letter less', good.slice(0, -1)],
      ['no signature', at(expires, holder)],
    ] as const) {
      const answer = await fetch(`${folder}/${name}`)
      expect([what, answer.status]).toEqual([what, 403])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('x-cache')).toBeNull()
    }
    for (const path of [name, '', '360p/%2e%2e/main.m3u8', '..%2f..%2fetc/passwd']) {
      const bare = await fetch(`${cdn.origin}/storage/v1/streams/${mediaId}/${path}`)
      expect([path, [403, 404].includes(bare.status)]).toEqual([path, true])
    }
    // Nothing but films is there.
    expect((await fetch(`${cdn.origin}/rest/v1/courses`)).status).toBe(404)
  })
})
