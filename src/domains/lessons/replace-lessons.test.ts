// Saving the lessons of a course changes what was changed, and nothing beside it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  lessonsOf,
  makeCourse,
  makeMedia,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import type { CourseContent } from '../courses/schema.ts'
import { richTextFrom } from './rich-text.ts'

let app: TestApp
let owner: { id: string; cookie: string }
let course: { id: string; slug: string }
let elsewhere: { id: string; slug: string }

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  const person = await makePerson(app.services)
  owner = { ...person, cookie: await sessionCookieOf(app.services, person.id) }
  const links = [
    { title: 'Site', url: 'https://example.com/' },
    { title: 'Map', url: 'https://example.com/map', description: 'Where it grows' },
  ]
  const chapters = [
    { title: 'One', lessons: [{ title: 'Alpha', links }, { title: 'Beta' }] },
    { title: 'Two', lessons: [{ title: 'Gamma' }] },
  ]
  course = await makeCourse(app.services, owner, { chapters })
  elsewhere = await makeCourse(app.services, owner, { chapters })
})

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

async function load(): Promise<CourseContent> {
  const path = `/rest/v1/courses/${course.id}/content`
  return (await app.request(path, { cookie: owner.cookie })).body
}

type Edited = ReturnType<typeof asSent>
const asSent = (content: CourseContent) => ({
  contentVersion: content.contentVersion,
  chapters: structuredClone(content.chapters).map((chapter) => ({
    ...chapter,
    lessons: chapter.lessons.map(({ video, ...lesson }) => ({
      ...lesson,
      videoId: video?.id ?? null,
    })),
  })),
})

/** What the editor does: it loads, changes something and saves. */
async function save(change: (content: Edited) => void): Promise<CourseContent> {
  const content = asSent(await load())
  change(content)
  const { status, body } = await app.request(`/rest/v1/courses/${course.id}/content`, {
    method: 'PUT',
    body: content,
    cookie: owner.cookie,
  })
  expect([status, body.message]).toEqual([200, undefined])
  return load()
}

const rowsOf = (id: string) =>
  query(
    `select l.*, (select json_agg(r order by r.id) from lesson_resources r where r.lesson_id = l.id) as links
       from lessons l where course_id = $1 order by l.id`,
    id,
  )

test('a video that no lesson shows any more lies unused from that moment on, and one that is shown is held from a sweep', async () => {
  const video = (courseId: string) => makeMedia(app.services, owner, { purpose: 'video', courseId })
  const [removed, replaced, moved, kept] = [
    await video(course.id),
    await video(course.id),
    await video(course.id),
    await video(course.id),
  ]
  const theirs = await video(elsewhere.id)
  const [other] = await lessonsOf(app.services, elsewhere.id)
  await query('update lessons set video_id = $2 where id = $1', other!.id, theirs)
  await save(({ chapters: [one, two] }) => {
    one!.lessons[0]!.videoId = removed
    one!.lessons[1]!.videoId = replaced
    two!.lessons[0]!.videoId = moved
  })
  await query(`update media_files set updated_at = now() - interval '1 year'`)
  const all = [removed, replaced, moved, kept, theirs]
  const touched = async () => {
    const rows = await query(
      `select id from media_files where id = any($1) and updated_at > now() - interval '1 hour'`,
      all,
    )
    return all.map((id) => rows.some((row) => row.id === id))
  }
  await save(({ chapters: [one] }) => {
    one!.lessons[0]!.title = 'Alpha and more'
  })
  expect(await touched()).toEqual([false, false, false, false, false])
  await save(({ chapters: [one, two] }) => {
    one!.lessons[0]!.videoId = moved
    one!.lessons[1]!.videoId = kept
    two!.lessons[0]!.videoId = null
  })
  expect(await touched()).toEqual([true, true, false, true, false])
})

test('every part of a lesson is stored, and a lesson that stays as it was is not written', async () => {
  const [before, theirs] = [await rowsOf(course.id), await rowsOf(elsewhere.id)]
  const changes: [keyof Edited['chapters'][number]['lessons'][number], unknown][] = [
    ['title', 'Omega'],
    ['content', richTextFrom('Another text')],
    ['videoUrl', 'https://example.com/a.mp4'],
    ['isPreview', true],
    ['durationMinutes', 7],
  ]
  const { id } = (await load()).chapters[0]!.lessons[0]!
  for (const [part, value] of changes) {
    const { updated_at: was } = (await rowsOf(course.id)).find((row) => row.id === id)!
    const saved = await save(({ chapters: [one] }) => {
      Object.assign(one!.lessons[0]!, { [part]: value })
    })
    expect(saved.chapters[0]!.lessons[0], part).toMatchObject({ id, [part]: value })
    const { updated_at: is } = (await rowsOf(course.id)).find((row) => row.id === id)!
    expect([part, is > was]).toEqual([part, true])
  }
  const others = (rows: { id: string }[]) => rows.filter((row) => row.id !== id)
  expect(others(await rowsOf(course.id))).toEqual(others(before))
  expect(await rowsOf(elsewhere.id)).toEqual(theirs)
})

test('lessons move and go, and those of other courses stay', async () => {
  const theirs = await rowsOf(elsewhere.id)
  const before = await load()
  const [alpha, beta] = before.chapters[0]!.lessons
  const saved = await save(({ chapters: [one, two] }) => {
    two!.lessons = [one!.lessons[1]!, one!.lessons[0]!]
    one!.lessons = []
  })
  expect(saved.chapters.map(({ lessons }) => lessons.map(({ id }) => id))).toEqual([
    [],
    [beta!.id, alpha!.id],
  ])
  expect((await rowsOf(course.id)).map(({ id }) => id).toSorted()).toEqual(
    [alpha!.id, beta!.id].toSorted(),
  )
  expect(await rowsOf(elsewhere.id)).toEqual(theirs)
})

test('links are changed in their place, put in order, moved and removed', async () => {
  const theirs = await rowsOf(elsewhere.id)
  const linksOf = ({ chapters }: CourseContent, at: number) => chapters[0]!.lessons[at]!.links
  const [site, map] = linksOf(await load(), 0)
  const swapped = await save(({ chapters: [one] }) => {
    one!.lessons[0]!.links = one!.lessons[0]!.links.toReversed()
  })
  expect(linksOf(swapped, 0)).toEqual([map, site])
  for (const [part, value] of [
    ['title', 'A site'],
    ['url', 'https://example.org/'],
    ['description', 'More of it'],
  ] as const) {
    const saved = await save(({ chapters: [one] }) => {
      one!.lessons[0]!.links[1]![part] = value
    })
    expect(linksOf(saved, 0)[1], part).toMatchObject({ id: site!.id, [part]: value })
    expect(linksOf(saved, 0)[0], part).toEqual(map)
  }
  const moved = await save(({ chapters: [one] }) => {
    one!.lessons[1]!.links = [one!.lessons[0]!.links.shift()!]
  })
  expect([linksOf(moved, 0).map(({ id }) => id), linksOf(moved, 1)]).toEqual([[site!.id], [map]])
  const removed = await save(({ chapters: [one] }) => {
    one!.lessons[0]!.links = []
  })
  expect([linksOf(removed, 0), linksOf(removed, 1)]).toEqual([[], [map]])
  expect(await rowsOf(elsewhere.id)).toEqual(theirs)
})
