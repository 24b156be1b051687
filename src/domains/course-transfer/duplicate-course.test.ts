// Copies of courses: what they have, and what they are called.
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { courseJsonOf } from '../../../test/course-files.ts'
import {
  api,
  type Caller,
  exported,
  fullCourse,
  sha256,
  someone,
} from '../../../test/course-transfers.ts'
import { joinCourse, makeCourse } from '../../../test/factories.ts'
import { courses } from '../courses/tables.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { imageKey } from '../media/store-image.ts'
import { mediaFiles } from '../media/tables.ts'
import { removeStaleUploads } from '../media/uploads.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { titleOfCopy } from './duplicate-course.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

describe('a copy', () => {
  const duplicate = (person: Caller, courseId: string) =>
    api(app, person, `/rest/v1/courses/${courseId}/duplicate`, {})

  test('counts towards the course limit', async () => {
    const person = await someone(app)
    const course = await makeCourse(app.services, person)
    const { status, body } = await duplicate(person, course.id)
    expect([status, body.code, body.message]).toEqual([
      403,
      'COURSE_LIMIT',
      'Free plan users can create up to 1 course. You have reached this limit.',
    ])
  })

  test('has all that its creator made, nothing of others, and files of its own', async () => {
    // The flagship does not count, so its owner has room for one more.
    const owner = await someone(app)
    const course = await fullCourse(app, owner)
    await setFlagshipCourse(app.services.db, course.id)
    const member = await someone(app)
    await joinCourse(app.services, member, { id: course.id, instructorId: owner.id })
    const answers = await Promise.all([duplicate(owner, course.id), duplicate(owner, course.id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const copy = answers.find(({ status }) => status === 200)!.body
    expect(copy).toMatchObject({
      title: 'Copy of Bread: “all of it” ⚡',
      slug: 'copy-of-bread-all-of-it',
    })

    const [original, copied] = [
      await exported(app, owner, course.id),
      await exported(app, owner, copy.id),
    ]
    expect(await courseJsonOf(copied)).toEqual({
      ...(await courseJsonOf(original)),
      title: copy.title,
    })
    const [row] = await app.services.db.select().from(courses).where(eq(courses.id, copy.id))
    const [source] = await app.services.db.select().from(courses).where(eq(courses.id, course.id))
    expect(row).toMatchObject({ status: 'draft', rating: 0, reviewsCount: 0, studentsCount: 0 })
    expect(row!.thumbnailId).not.toBe(source!.thumbnailId)

    // Neither needs the other.
    await app.services.pool.query(`delete from settings where value::text like '%' || $1 || '%'`, [
      course.id,
    ])
    const files = await app.services.db
      .select()
      .from(mediaFiles)
      .where(eq(mediaFiles.courseId, course.id))
    for (const { id } of files) await app.services.storage.remove(uploadKey(id))
    for (const width of [320, 640, 1280]) {
      await app.services.storage.remove(imageKey(source!.thumbnailId!, width))
    }
    await app.services.db.delete(courses).where(eq(courses.id, course.id))
    await removeStaleUploads(app.services)
    expect(sha256(await exported(app, owner, copy.id))).toBe(sha256(copied))
  })

  test.each([
    ['Bread', 'Copy of Bread'],
    ['x'.repeat(112), `Copy of ${'x'.repeat(112)}`],
    ['x'.repeat(113), `Copy of ${'x'.repeat(111)}…`],
    [`${'x'.repeat(110)}😀😀`, `Copy of ${'x'.repeat(110)}…`],
  ])('of %s is called %s', (title, name) => {
    expect(titleOfCopy(title)).toBe(name)
    expect(titleOfCopy(title).length).toBeLessThanOrEqual(120)
  })
})
