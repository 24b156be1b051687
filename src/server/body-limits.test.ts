// A long body is read for who may send one, and for the calls that need it: reading it keeps the server from others.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../test/factories.ts'
import { everydayBody, longestBody } from './body-limits.ts'

let app: TestApp
let cookie: string
let courseId: string
beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app.services)
  cookie = await sessionCookieOf(app.services, owner.id)
  courseId = (await makeCourse(app.services, owner)).id
})
afterAll(() => app?.stop())

const long = 'x'.repeat(everydayBody)
const tooLong = (size: string) => ({
  status: 413,
  body: { message: `This is too much to send at once (${size} at most).` },
})

test('a call has an everyday limit, for everybody', async () => {
  const title = { title: long }
  for (const who of [undefined, cookie]) {
    const answer = await app.request('/rest/v1/courses', { body: title, cookie: who })
    expect(answer).toMatchObject(tooLong('512 KB'))
  }
  const fits = await app.request('/rest/v1/courses', { body: { title: long.slice(100) }, cookie })
  expect(fits.status).toBe(422)
})

test('the content of a course may be longer, from people who are signed in', async () => {
  const path = `/rest/v1/courses/${courseId}/content`
  const save = (body: string, who?: string) =>
    app.request(path, { method: 'PUT', body, cookie: who })
  expect(await save(long + long)).toMatchObject(tooLong('512 KB'))
  expect((await save(long + long, cookie)).status).toBe(400)
  expect(await save(long.repeat(33), cookie)).toMatchObject(tooLong('16 MB'))
  // Short ones go to the guard as ever.
  expect((await save('{}')).status).toBe(401)
})

test('only the call itself has its limit', () => {
  expect(longestBody('PUT', `/rest/v1/courses/${courseId}/content`)).toBe(16 * 1024 * 1024)
  expect(longestBody('POST', `/rest/v1/courses/${courseId}/content`)).toBe(everydayBody)
  expect(longestBody('PUT', `/rest/v1/courses/${courseId}/content/more`)).toBe(everydayBody)
})

test('of many problems the first hundred are told', async () => {
  const lessons = Array.from({ length: 1000 }, () => 0)
  const { status, body } = await app.request(`/rest/v1/courses/${courseId}/content`, {
    method: 'PUT',
    cookie,
    body: { contentVersion: 1, chapters: [{ title: 'Many', lessons }] },
  })
  expect(status).toBe(422)
  expect(body.data.fields).toHaveLength(100)
})
