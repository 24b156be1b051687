import { sql, type SQL } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'

/** How an input names the course that it concerns. */
export type CourseReference =
  | { courseId: string }
  | { slug: string }
  | { lessonId: string }
  | { mediaId: string }

export interface CourseAccess {
  courseId: string
  slug: string
  instructorId: string
  status: 'draft' | 'published'
  standing: 'visitor' | 'signedIn' | 'member' | 'instructor'
  /** May read the public page. */
  canSee: boolean
  /** May read lessons and everything else that members read. */
  canLearn: boolean
  /** May change the course. */
  canEdit: boolean
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What `slugOf` makes; nothing else is the address of a course or a lesson. */
const slugPattern = /^[a-z0-9-]{1,200}$/i

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidPattern.test(value)
}

function whichCourse(reference: CourseReference): SQL | null {
  if ('slug' in reference) {
    // The guard asks before the input is checked, and PostgreSQL cannot even compare a NUL.
    if (!slugPattern.test(reference.slug)) return null
    const bySlug = sql`select course_id from course_slugs where slug = ${reference.slug}`
    return isUuid(reference.slug)
      ? sql`coalesce((${bySlug}), ${reference.slug}::uuid)`
      : sql`(${bySlug})`
  }
  const id = Object.values(reference)[0]
  if (!isUuid(id)) return null
  if ('lessonId' in reference) return sql`(select course_id from lessons where id = ${id})`
  if ('mediaId' in reference) return sql`(select course_id from media_files where id = ${id})`
  return sql`${id}::uuid`
}

type Row = {
  id: string
  slug: string
  instructor_id: string
  status: 'draft' | 'published'
  enrolled: boolean
}

/**
 * What this viewer may do with this course: the one place that decides it for pages, calls and files.
 * Null when there is no such course. A course that became a draft again stays open to its members.
 */
export async function courseAccess(
  db: Executor,
  viewer: Viewer | null,
  reference: CourseReference,
): Promise<CourseAccess | null> {
  const course = whichCourse(reference)
  if (!course) return null
  const { rows } = await db.execute<Row>(sql`
    select c.id, c.slug, c.instructor_id, c.status,
           exists (select 1 from enrollments e
                    where e.course_id = c.id and e.user_id = ${viewer?.id ?? null}::uuid) as enrolled
      from courses c where c.id = ${course}`)
  const row = rows[0]
  if (!row) return null
  const owns = viewer !== null && viewer.id === row.instructor_id
  const admin = viewer?.role === 'admin'
  const standing = owns ? 'instructor' : row.enrolled ? 'member' : viewer ? 'signedIn' : 'visitor'
  const canLearn = owns || row.enrolled || admin
  return {
    courseId: row.id,
    slug: row.slug,
    instructorId: row.instructor_id,
    status: row.status,
    standing,
    canSee: row.status === 'published' || canLearn,
    canLearn,
    canEdit: owns,
  }
}
