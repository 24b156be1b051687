// Uploads that are cut at any byte while the server is killed: equal in the end, and at most one chunk sent again.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { uploadKey } from '../../src/domains/media/finish-upload.ts'
import { mediaFiles } from '../../src/domains/media/tables.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../factories.ts'
import { storedBytes } from '../stored-files.ts'
import { startLoad } from './load.ts'
import { startKillable } from './killable.ts'
import { filmOf, idIn, sha256, uploader, videoOf } from './uploading.ts'

/** `npm run prove:faults` cuts a thousand. */
const uploads = Number(process.env.FAULT_UPLOADS ?? 20)
const atOnce = 10
const rounds = Math.ceil(uploads / atOnce)
const chunk = 256 * 1024

vi.setConfig({ testTimeout: 120_000 + rounds * 60_000 })

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** Sends as much of a chunk as that, and holds the line. */
async function begins(
  url: string,
  cookie: string,
  { path, bytes, offset }: { path: string; bytes: Buffer; offset: number },
): Promise<ClientRequest> {
  const request = httpRequest(url + path, {
    method: 'PATCH',
    agent: false,
    headers: {
      cookie,
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(chunk),
    },
  })
  // The server is about to be killed, or the line cut.
  request.on('error', () => {})
  await once(request, 'socket')
  await new Promise<void>((resolve) => request.write(bytes, () => resolve()))
  return request
}

test(`${uploads} uploads are cut at any byte, and the server killed meanwhile`, async () => {
  const server = await startKillable(app)
  const load = await startLoad({ ...app, url: server.url })
  const creator = await makePerson(app.services)
  const course = await makeCourse(app.services, creator)
  const cookie = await sessionCookieOf(app.services, creator.id)
  const files = uploader(server.url, cookie)
  let [sentAgain, mostSentAgain, bytesInAll] = [0, 0, 0]

  async function beginOne() {
    const bytes = filmOf(randomInt(3 * chunk, 8 * chunk))
    const { status, location } = await files.begin(bytes.length, videoOf(course.id))
    expect(status).toBe(201)
    const cut = randomInt(bytes.length - chunk)
    let offset = 0
    for (; offset + chunk <= cut; offset += chunk) {
      const answer = await files.patch(location, bytes.subarray(offset, offset + chunk), offset)
      expect([answer.status, answer.offset]).toEqual([204, offset + chunk])
    }
    const path = location
    const under = { path, bytes: bytes.subarray(offset, cut), offset }
    return {
      bytes,
      location,
      acknowledged: offset,
      sent: cut,
      line: await begins(server.url, cookie, under),
    }
  }

  for (let round = 0; round < rounds; round += 1) {
    const begun = await Promise.all(Array.from({ length: atOnce }, beginOne))
    // Some lines break before the server does, and some bytes are still on their way.
    for (const { line } of begun.filter((_, at) => at % 3 === 0)) line.destroy()
    await delay(randomInt(30))
    await server.kill9()
    for (const { line } of begun) line.destroy()
    await server.start()
    await Promise.all(
      begun.map(async ({ bytes, location, acknowledged, sent }) => {
        const { offset } = await files.look(location)
        expect(offset).toBeGreaterThanOrEqual(acknowledged)
        expect(offset).toBeLessThanOrEqual(sent)
        const again = sent - offset
        sentAgain += again
        mostSentAgain = Math.max(mostSentAgain, again)
        bytesInAll += bytes.length
        for (let at = offset; at < bytes.length; at += chunk) {
          const { status } = await files.patch(location, bytes.subarray(at, at + chunk), at)
          expect(status).toBe(204)
        }
        const stored = await storedBytes(app.services.storage, uploadKey(idIn(location)))
        expect(sha256(stored)).toBe(sha256(bytes))
        // A thousand of them are more than a disk has to spare.
        await app.services.storage.remove(uploadKey(idIn(location)))
      }),
    )
  }
  expect(mostSentAgain).toBeLessThanOrEqual(chunk)
  const states = await app.services.db
    .selectDistinct({ status: mediaFiles.status })
    .from(mediaFiles)
  expect(states).toEqual([{ status: 'ready' }])
  expect(await app.services.db.$count(mediaFiles)).toBe(rounds * atOnce)
  await load.end()
  console.log(
    `${rounds * atOnce} uploads of ${bytesInAll} bytes cut, the server killed ${rounds} times: all equal; ` +
      `sent again: ${sentAgain} bytes, at most ${mostSentAgain} of one, chunks of ${chunk}`,
  )
})
