// The decision itself, and what is asked for it. What PostgreSQL finds by that is in find-access.test.ts; that the guard keeps
// to it is in test/attacks/access-matrix.test.ts.
import { describe, expect, test } from 'vitest'
import { toldDatabase } from '../../../test/told-database.ts'
import type { Viewer } from '../../server/viewer.ts'
import {
  accessIn,
  accessQuery,
  type AccessRow,
  courseAccess,
  type CourseReference,
  isUuid,
  withoutAccess,
} from './access.ts'

const course = '0198c7a0-0000-7000-8000-000000000001'
const ann = { id: 'ann', role: 'user' } as Viewer
const bea = { id: 'bea', role: 'user' } as Viewer
const admin = { id: 'adam', role: 'admin' } as Viewer

const row: AccessRow = {
  courseId: course,
  courseSlug: 'knots',
  instructorId: 'ann',
  courseStatus: 'published',
  isEnrolled: false,
  isPreview: false,
}
const draft: AccessRow = { ...row, courseStatus: 'draft' }

const may = (of: AccessRow, viewer: Viewer | null) => {
  const access = accessIn(of, viewer)!
  const { canSee, canLearn, canEdit, canModerate } = access
  const all = { see: canSee, learn: canLearn, edit: canEdit, moderate: canModerate }
  const allowed = Object.entries(all).flatMap(([what, is]) => (is ? [what] : []))
  return `${access.standing}: ${allowed.join(', ')}`
}

describe('who may do what with a course', () => {
  test('its instructor everything, also with a draft', () => {
    expect(may(row, ann)).toBe('instructor: see, learn, edit, moderate')
    expect(may(draft, ann)).toBe('instructor: see, learn, edit, moderate')
    expect(may({ ...row, isEnrolled: true }, ann)).toBe('instructor: see, learn, edit, moderate')
  })

  test('members learn, also when it became a draft again', () => {
    expect(may({ ...row, isEnrolled: true }, bea)).toBe('member: see, learn')
    expect(may({ ...draft, isEnrolled: true }, bea)).toBe('member: see, learn')
  })

  test('administrators learn and moderate, and change nothing', () => {
    expect(may(row, admin)).toBe('signedIn: see, learn, moderate')
    expect(may(draft, admin)).toBe('signedIn: see, learn, moderate')
    expect(may({ ...row, isEnrolled: true }, admin)).toBe('member: see, learn, moderate')
  })

  test('others see what is published', () => {
    expect(may(row, bea)).toBe('signedIn: see')
    expect(may(draft, bea)).toBe('signedIn: ')
    expect(may(row, null)).toBe('visitor: see')
    expect(may(draft, null)).toBe('visitor: ')
  })

  test('and read free previews of what is published', () => {
    expect(accessIn({ ...row, isPreview: true }, null)?.isPreview).toBe(true)
    expect(accessIn({ ...draft, isPreview: true }, null)?.isPreview).toBe(false)
    expect(accessIn(row, null)?.isPreview).toBe(false)
  })

  test('what it is about comes with it, and nothing where there is no course', () => {
    expect(accessIn(draft, null)).toMatchObject({
      courseId: course,
      slug: 'knots',
      instructorId: 'ann',
      status: 'draft',
    })
    expect(accessIn({ ...row, courseId: null }, admin)).toBeNull()
  })
})

describe('the course of a reference', () => {
  const names = { parameter: '$2', person: '$1' }
  const at = (reference: CourseReference) => accessQuery(reference, names)
  const id = '0198C7A0-0000-7000-8000-00000000ABCD'
  const references: [CourseReference, string | null, string | null][] = [
    [{ courseId: id }, null, null],
    [{ lessonId: id }, 'lessons', 'l.id = $2'],
    [{ mediaId: id }, 'media_files', 'l.video_id = $2'],
    [{ postId: id }, 'posts', null],
    [{ commentId: id }, 'comments', null],
    [{ caseId: id }, 'moderation_cases', null],
  ]

  test.each(references)('%j is found in its table', (reference, table, preview) => {
    const query = at(reference)
    const expected = table ? `(select course_id from ${table} where id = $2)` : '$2::uuid'
    expect([query?.course, query?.key]).toEqual([expected, id])
    expect(query?.columns).toContain('e.user_id = $1')
    if (preview) expect(query?.columns).toContain(`where ${preview} and l.course_id = c.id`)
    else expect(query?.columns).toContain('false as "isPreview"')
  })

  test('a slug is one, and an id may be one', () => {
    const bySlug = '(select course_id from course_slugs where slug = $2)'
    expect(at({ slug: 'knots-2' })).toMatchObject({ course: bySlug, key: 'knots-2' })
    expect(at({ slug: id })).toMatchObject({ course: `coalesce(${bySlug}, $2::uuid)`, key: id })
    expect(at({ slug: 'x'.repeat(200) })).not.toBeNull()
  })

  test.each(['', 'a b', 'a\0b', 'knots/', 'é', 'x'.repeat(201), '-\n'])(
    'the slug %j leads nowhere',
    (slug) => {
      expect(at({ slug })).toBeNull()
    },
  )

  test.each(['', 'x', `x${course}`, `${course}x`, course.slice(1), course.replace('a', 'g')])(
    'the id %j leads nowhere',
    (wrong) => {
      expect(isUuid(wrong)).toBe(false)
      for (const [reference] of references) {
        expect(at({ [Object.keys(reference)[0]!]: wrong } as CourseReference)).toBeNull()
      }
    },
  )

  test('an id is text', () => {
    expect(isUuid(course)).toBe(true)
    expect([null, undefined, 7, [course]].map(isUuid)).toEqual([false, false, false, false])
  })

  test('each has a name of its own: PostgreSQL keeps the statement under it', () => {
    const queries = [...references.map(([reference]) => at(reference)!), at({ slug: 'knots' })!]
    const all = [...queries, at({ slug: id })!].map(({ name }) => name)
    expect(new Set(all).size).toBe(8)
    for (const name of all) expect(name).toMatch(/\w/)
  })
})

describe('the access to one course', () => {
  const at = { courseId: course }

  test('is decided by what is found about who asks', async () => {
    const { asked, db } = toldDatabase(() => [{ n: '1', ...row }])
    expect((await courseAccess(db, ann, at))?.standing).toBe('instructor')
    expect((await courseAccess(db, null, at))?.standing).toBe('visitor')
    expect(asked.map(({ values }) => values)).toEqual([
      [['ann'], [course]],
      [[null], [course]],
    ])
    expect(asked[0]?.text).toBe(
      'select asked.n, c.id as "courseId", c.slug as "courseSlug", c.instructor_id as "instructorId", c.status as "courseStatus", false as "isPreview", exists (select 1 from enrollments e where e.course_id = c.id and e.user_id = asked.person) as "isEnrolled" from unnest((select $1::uuid[]), (select $2::uuid[])) with ordinality as asked (person, course, n) join courses c on c.id = asked.course::uuid',
    )
  })

  test('is prepared under a name of its own for each kind of reference', async () => {
    const { asked, db } = toldDatabase(() => [])
    await courseAccess(db, ann, at)
    await courseAccess(db, ann, { slug: 'knots' })
    await courseAccess(db, ann, { lessonId: course })
    expect(asked.map(({ name }) => name)).toEqual([
      'course-access course',
      'course-access slug',
      'course-access lesson',
    ])
    expect(asked[1]?.text).toContain('(select $1::uuid[]), (select $2::text[])')
    expect(asked[1]?.text).toContain('from course_slugs where slug = asked.course')
    expect(asked[2]?.text).toContain(
      'exists (select 1 from lessons l where l.id = asked.course and l.course_id = c.id and l.is_preview)',
    )
  })

  test('is none where no course is found, and is not asked for where none can be', async () => {
    const { asked, db } = toldDatabase(() => [])
    expect(await courseAccess(db, ann, at)).toBeNull()
    expect(asked).toHaveLength(1)
    expect(await courseAccess(db, ann, { courseId: 'x' })).toBeNull()
    expect(asked).toHaveLength(1)
  })
})

describe('those who may not learn any more', () => {
  test('are asked for all at once', async () => {
    const lost = { userId: 'bea', courseId: course }
    const { asked, db } = toldDatabase(() => [lost])
    expect(await withoutAccess(db, [{ userId: 'ann', courseId: 'another' }, lost])).toEqual([lost])
    expect(asked).toEqual([
      {
        text: expect.stringMatching(
          /^select p\.user_id .+ where not exists \( select 1 from courses c /,
        ),
        values: [
          ['ann', 'bea'],
          ['another', course],
        ],
      },
    ])
  })

  test('are nobody of nobody, which is not asked', async () => {
    const { asked, db } = toldDatabase(() => [{ userId: 'ann', courseId: course }])
    expect(await withoutAccess(db, [])).toEqual([])
    expect(asked).toEqual([])
  })
})
