import type { Db } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'

/** How an input names the course that it concerns. */
export type CourseReference =
  | { courseId: string }
  | { slug: string }
  | { lessonId: string }
  | { mediaId: string }
  | { postId: string }
  | { commentId: string }
  | { caseId: string }

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
  /** May delete and hide what people write there. */
  canModerate: boolean
  /**
   * The lesson or the video that was asked for is a free preview of a published course: everybody may
   * read it, also who may not learn. False where the reference names neither.
   */
  isPreview: boolean
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What `slugOf` makes; nothing else is the address of a course or a lesson. */
const slugPattern = /^[a-z0-9-]{1,200}$/i

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidPattern.test(value)
}

const bySlug = '(select course_id from course_slugs where slug = $2)'

/** How the statement finds the course, its `$2`, and a free preview; null when nothing can be found by it. */
function whichCourse(
  reference: CourseReference,
): { name: string; course: string; key: string; preview?: string } | null {
  if ('slug' in reference) {
    const key = reference.slug
    // The guard asks before the input is checked, and PostgreSQL cannot even compare a NUL.
    if (!slugPattern.test(key)) return null
    return isUuid(key)
      ? { name: 'slug-or-id', course: `coalesce(${bySlug}, $2::uuid)`, key }
      : { name: 'slug', course: bySlug, key }
  }
  const key = Object.values(reference)[0]
  if (!isUuid(key)) return null
  if ('lessonId' in reference) {
    const course = '(select course_id from lessons where id = $2)'
    return { name: 'lesson', course, key, preview: 'l.id = $2' }
  }
  if ('mediaId' in reference) {
    const course = '(select course_id from media_files where id = $2)'
    return { name: 'media', course, key, preview: 'l.video_id = $2' }
  }
  const table = tableOf(reference)
  if (table) return { name: table, course: `(select course_id from ${table} where id = $2)`, key }
  return { name: 'course', course: '$2', key }
}

function tableOf(reference: CourseReference): string | null {
  if ('postId' in reference) return 'posts'
  if ('commentId' in reference) return 'comments'
  return 'caseId' in reference ? 'moderation_cases' : null
}

type Row = {
  id: string
  slug: string
  instructor_id: string
  status: 'draft' | 'published'
  enrolled: boolean
  preview: boolean
}

/**
 * What this viewer may do with this course: the one place that decides it for pages, calls and files.
 * Null when there is no such course. A course that became a draft again stays open to its members.
 */
export async function courseAccess(
  db: Db,
  viewer: Viewer | null,
  reference: CourseReference,
): Promise<CourseAccess | null> {
  const which = whichCourse(reference)
  if (!which) return null
  const preview = which.preview
    ? `exists (select 1 from lessons l
                where ${which.preview} and l.course_id = c.id and l.is_preview)`
    : 'false'
  // Prepared: nearly every call asks this first.
  const { rows } = await db.$client.query<Row>({
    name: `course-access ${which.name}`,
    text: `select c.id, c.slug, c.instructor_id, c.status,
                  exists (select 1 from enrollments e
                           where e.course_id = c.id and e.user_id = $1) as enrolled,
                  ${preview} as preview
             from courses c where c.id = ${which.course}`,
    values: [viewer?.id ?? null, which.key],
  })
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
    canModerate: owns || admin,
    isPreview: row.preview && row.status === 'published',
  }
}

/**
 * Those of these who may not learn there, or not any more: `canLearn` of many at once, for what stays open
 * between two requests.
 */
export async function withoutAccess(
  db: Db,
  people: { userId: string; courseId: string }[],
): Promise<{ userId: string; courseId: string }[]> {
  if (people.length === 0) return []
  const { rows } = await db.$client.query<{ userId: string; courseId: string }>(
    `select p.user_id as "userId", p.course_id as "courseId"
       from unnest($1::uuid[], $2::uuid[]) as p (user_id, course_id)
      where not exists (
        select 1 from courses c join users u on u.id = p.user_id
         where c.id = p.course_id and u.suspended_at is null
           and (c.instructor_id = u.id or u.role = 'admin'
                or exists (select 1 from enrollments e
                            where e.course_id = c.id and e.user_id = u.id)))`,
    [people.map(({ userId }) => userId), people.map(({ courseId }) => courseId)],
  )
  return rows
}
