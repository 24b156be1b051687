// What the journeys of the screens share: people, a course that they look at, and how to look.
import { readFile } from 'node:fs/promises'
import { type BrowserContext, type Locator, type Page, request as requests } from '@playwright/test'
import sharp from 'sharp'
import { flagshipCourseId } from '../../src/domains/site/flagship.ts'
import type { Services } from '../../src/server/services.ts'
import {
  joinCourse,
  makeCourse,
  makePerson,
  type MadePerson,
  sessionCookieOf,
} from '../factories.ts'
import { expect } from './journey.ts'
import { bootSecondNode } from './second-node.ts'
import type { BuiltServer } from './server.ts'

export type Somebody = MadePerson & { cookie: string }

/** What this makes on the data of the server. */
export async function furnish<World>(
  thunder: BuiltServer,
  make: (services: Services) => Promise<World>,
): Promise<World> {
  const { services, stop } = await bootSecondNode(thunder)
  const world = await make(services)
  await stop()
  return world
}

export async function makeSomebody(services: Services, name: string): Promise<Somebody> {
  const made = await makePerson(services, { name })
  return { ...made, cookie: await sessionCookieOf(services, made.id) }
}

export const summary = 'Four ingredients & <b>one</b> evening.'

/** Each file of journeys has one of its own. */
export const makeBread = (services: Services, creator: Somebody) =>
  makeCourse(services, creator, {
    title: 'Bread for Two ⚡',
    shortDescription: summary,
    description: 'You need flour, water, salt and time.',
    category: 'Cooking',
    chapters: [
      {
        title: 'The dough',
        lessons: ['Mix by hand', 'Let it rest', 'Fold it ⚡', 'Shape it'].map((title) => ({
          title,
          content: `How to: ${title}.`,
        })),
      },
      { title: 'The oven', lessons: [{ title: 'Heat it' }, { title: 'Bake it dark' }] },
    ],
  })

/** As everybody does who signs up. */
export async function joinFlagship(services: Services, reader: Somebody) {
  const flagshipId = (await flagshipCourseId(services.db))!
  const { rows } = await services.pool.query<{ instructorId: string }>(
    'select instructor_id as "instructorId" from courses where id = $1',
    [flagshipId],
  )
  await joinCourse(services, reader, { id: flagshipId, instructorId: rows[0]!.instructorId })
}

/** Sends a whole file as this person; answers its id. */
async function uploaded(services: Services, { cookie }: Somebody, file: Buffer, metadata: object) {
  const api = await requests.newContext({
    baseURL: services.config.appUrl,
    extraHTTPHeaders: { cookie },
  })
  const encoded = Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',')
  const tus = { 'tus-resumable': '1.0.0' }
  const opened = await api.post('/storage/v1/uploads', {
    headers: { ...tus, 'upload-length': String(file.length), 'upload-metadata': encoded },
  })
  expect(opened.status()).toBe(201)
  const { location = '' } = opened.headers()
  const sent = await api.patch(location, {
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    data: file,
  })
  expect(sent.ok(), await sent.text()).toBe(true)
  await api.dispose()
  return location.split('/').at(-1) ?? ''
}

/** A file that starts as an AVI does: accepted, and no browser plays it. */
export const unplayable = Buffer.concat([
  Buffer.from('RIFF\x00\x10\x00\x00AVI LIST', 'latin1'),
  Buffer.alloc(4096),
])

interface Film {
  filename: string
  filetype: string
  bytes: Buffer
}
export const playableFilm: Film = {
  filename: 'mix.mp4',
  filetype: 'video/mp4',
  bytes: await readFile('test/fixtures/lesson.mp4'),
}
export const unplayableFilm: Film = {
  filename: 'rest.avi',
  filetype: 'video/x-msvideo',
  bytes: unplayable,
}

/** The lesson of this course with this slug gets a film. */
export async function addFilm(
  services: Services,
  creator: Somebody,
  course: { id: string },
  lesson: string,
  { bytes, ...film }: Film,
) {
  const id = await uploaded(services, creator, bytes, {
    purpose: 'video',
    courseId: course.id,
    ...film,
  })
  await services.pool.query('update lessons set video_id = $1 where course_id = $2 and slug = $3', [
    id,
    course.id,
    lesson,
  ])
}

export async function addThumbnail(services: Services, creator: Somebody, course: { id: string }) {
  const picture = await sharp({
    create: { width: 1600, height: 900, channels: 3, background: '#b5651d' },
  })
    .jpeg()
    .toBuffer()
  const id = await uploaded(services, creator, picture, {
    purpose: 'thumbnail',
    filename: 'bread.jpg',
    filetype: 'image/jpeg',
  })
  await services.pool.query('update courses set thumbnail_id = $1 where id = $2', [id, course.id])
}

export const main = (page: Page) => page.getByRole('main')
export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true })
export const link = (within: Page | Locator, name: string) =>
  within.getByRole('link', { name, exact: true })
export const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true })

/** This context is theirs from here on. */
export async function enter(context: BrowserContext, { cookie }: Somebody, url: string) {
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url }])
}

/** Another browser, with this person in it, or a stranger. (A second tab would slow the first down.) */
export async function pageOf(page: Page, thunder: BuiltServer, somebody?: Somebody) {
  const context = await page.context().browser()!.newContext({ baseURL: thunder.url })
  if (somebody) await enter(context, somebody, thunder.url)
  return context.newPage()
}

/** What a press does that ignores how busy the button looks. */
export const pressAnyway = (target: Locator) => target.click({ force: true })

/** The picture is the uploaded one, and it is there. */
export async function expectThumbnail(picture: Locator) {
  await expect(picture).toHaveAttribute('src', /^\/storage\/v1\/images\/[0-9a-f-]{36}\/640\.webp$/)
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
}
