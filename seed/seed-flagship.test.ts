import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { flagshipCourse } from './flagship/course.ts'
import { seedFlagship } from './seed-flagship.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('nodes that start together make one flagship course', async () => {
  await Promise.all(Array.from({ length: 4 }, () => seedFlagship(app.services)))
  const { rows } = await app.services.db.execute(sql`select id from courses`)
  expect(rows).toHaveLength(1)
  const { body } = await app.request('/rest/v1/courses/thunder-bootcamp')
  expect(body).toMatchObject({
    slug: 'thunder-bootcamp',
    title: 'Thunder Bootcamp',
    status: 'published',
    verified: true,
    pricingType: 'free',
    studentsCount: 0,
    chaptersCount: flagshipCourse.chapters.length,
    instructorName: 'Thunder',
    summary: flagshipCourse.shortDescription,
  })
})

test('a later start does nothing', async () => {
  const { rows: before } = await app.services.db.execute(sql`select version from courses`)
  await seedFlagship(app.services)
  expect((await app.services.db.execute(sql`select version from courses`)).rows).toEqual(before)
})

test('its picture is there in every width', async () => {
  const { body } = await app.request('/rest/v1/courses/thunder-bootcamp')
  for (const address of Object.values(body.thumbnail as Record<string, string>)) {
    const { status, headers } = await app.request(address)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/webp')
  }
})

test('a newcomer finds it, with a video that plays', async () => {
  const { cookie } = await app.signUp()
  const { body } = await app.request('/rest/v1/courses/thunder-bootcamp/dashboard', { cookie })
  expect(body).toMatchObject({ standing: 'member', studentsCount: 1, progressPercent: 0 })
  expect(body.chapters.map((chapter: { title: string }) => chapter.title)).toEqual(
    flagshipCourse.chapters.map((chapter) => chapter.title),
  )
  const first = `/rest/v1/courses/thunder-bootcamp/lessons/${body.continueWith.slug}`
  const lesson = (await app.request(first, { cookie })).body
  const video = await fetch(app.url + lesson.video.url, { headers: { cookie } })
  expect(video.headers.get('content-type')).toBe('video/mp4')
  expect(sha(new Uint8Array(await video.arrayBuffer()))).toBe(
    sha(await readFile('seed/flagship/welcome.mp4')),
  )
  expect((await fetch(app.url + lesson.video.url)).status).toBe(401)
})
