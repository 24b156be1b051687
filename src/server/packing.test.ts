// What a call answers arrives packed as the asker can unpack it, in one piece, and is the same each time.
import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../test/factories.ts'

let app: TestApp
let lesson: string
let outline: string
let cookie: string

beforeAll(async () => {
  app = await startTestApp()
  const long = 'Step by step, with a word for each of them. '.repeat(100)
  const course = await makeCourse(app.services, await makePerson(app.services), {
    chapters: [{ title: 'One', lessons: [{ title: 'Ä lesson', content: long }] }],
  })
  const member = await makePerson(app.services)
  await joinCourse(app.services, member, course)
  cookie = await sessionCookieOf(app.services, member.id)
  const [first] = await lessonsOf(app.services, course.id)
  lesson = `/rest/v1/courses/${course.slug}/lessons/${first!.slug}`
  outline = `/rest/v1/courses/${course.slug}/outline`
})
afterAll(() => app?.stop())

/** As it is on the wire: `fetch` would unpack it. */
const ask = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>(
    (resolve, reject) => {
      get(app.url + path, { headers }, (response) => {
        const { statusCode: status = 0 } = response
        buffer(response).then(
          (bytes) => resolve({ status, headers: response.headers, bytes }),
          reject,
        )
      }).on('error', reject)
    },
  )

test.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  [undefined, 'identity', (bytes: Buffer) => bytes],
])('a lesson as %s', async (encoding, accepted, unpack) => {
  const plain = await ask(lesson, { cookie })
  const answer = await ask(lesson, { cookie, 'accept-encoding': accepted })
  expect(answer.status).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(answer.bytes.length),
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  })
  expect(answer.headers['content-encoding']).toBe(encoding)
  expect(unpack(answer.bytes)).toEqual(plain.bytes)
  expect(JSON.parse(plain.bytes.toString()).title).toBe('Ä lesson')
})

test('not what is short, and no refusal', async () => {
  for (const [path, status] of [
    [outline, 200],
    [`${lesson}-x`, 404],
  ] as const) {
    const answer = await ask(path, { cookie, 'accept-encoding': 'br' })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
    expect(answer.headers['content-type']).toBe('application/json')
  }
})
