import { askTogether, question, questionNamed } from '../../server/ask-together.ts'
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

/** How a statement finds the course of a reference, and what it reads of it about a person. */
export interface AccessQuery {
  /** Of a prepared statement. */
  name: string
  /** The course's id in SQL. */
  course: string
  /** The value of the parameter that `course` is found by, and its type in SQL. */
  key: string
  type: 'text' | 'uuid'
  /** What `accessIn` needs, of `courses c`. */
  columns: string
}

/**
 * `parameter` and `person` are SQL: the parameter for the query's `key`, and whose access it is. Null when nothing
 * can be found by the reference.
 */
export function accessQuery(
  reference: CourseReference,
  { parameter, person }: { parameter: string; person: string },
): AccessQuery | null {
  const which = whichCourse(reference, parameter)
  if (!which) return null
  const preview = which.preview
    ? `exists (select 1 from lessons l
                where ${which.preview} and l.course_id = c.id and l.is_preview)`
    : 'false'
  return {
    ...which,
    columns: `c.id as "courseId", c.slug as "courseSlug", c.instructor_id as "instructorId",
              c.status as "courseStatus", ${preview} as "isPreview",
              exists (select 1 from enrollments e
                       where e.course_id = c.id and e.user_id = ${person}) as "isEnrolled"`,
  }
}

/** The course's id in SQL, the value of the parameter, and which lesson may be a free preview. */
function whichCourse(reference: CourseReference, parameter: string) {
  const bySlug = `(select course_id from course_slugs where slug = ${parameter})`
  if ('slug' in reference) {
    const key = reference.slug
    // The guard asks before the input is checked, and PostgreSQL cannot even compare a NUL.
    if (!slugPattern.test(key)) return null
    const type = 'text' as const
    return isUuid(key)
      ? { name: 'slug-or-id', course: `coalesce(${bySlug}, ${parameter}::uuid)`, key, type }
      : { name: 'slug', course: bySlug, key, type }
  }
  const key = Object.values(reference)[0]
  if (!isUuid(key)) return null
  const type = 'uuid' as const
  const courseOf = (table: string) => `(select course_id from ${table} where id = ${parameter})`
  if ('lessonId' in reference) {
    return {
      name: 'lesson',
      course: courseOf('lessons'),
      key,
      type,
      preview: `l.id = ${parameter}`,
    }
  }
  if ('mediaId' in reference) {
    const preview = `l.video_id = ${parameter}`
    return { name: 'media', course: courseOf('media_files'), key, type, preview }
  }
  const table = tableOf(reference)
  if (table) return { name: table, course: courseOf(table), key, type }
  return { name: 'course', course: `${parameter}::uuid`, key, type }
}

function tableOf(reference: CourseReference): string | null {
  if ('postId' in reference) return 'posts'
  if ('commentId' in reference) return 'comments'
  return 'caseId' in reference ? 'moderation_cases' : null
}

/** What the columns of an `AccessQuery` are in a row; all of them are null where there is no such course. */
export interface AccessRow {
  courseId: string | null
  courseSlug: string
  instructorId: string
  courseStatus: 'draft' | 'published'
  isEnrolled: boolean
  isPreview: boolean
}

const accessQuestion = (query: AccessQuery) =>
  questionNamed(`course-access ${query.name}`, (name) =>
    question(
      name,
      { person: 'uuid', course: query.type },
      (asked) =>
        `select asked.n, ${query.columns} from ${asked} join courses c on c.id = ${query.course}`,
    ),
  )

/**
 * What this viewer may do with this course: the one place that decides it for pages, calls and files.
 * Null when there is no such course. A course that became a draft again stays open to its members.
 */
export async function courseAccess(
  db: Db,
  viewer: Viewer | null,
  reference: CourseReference,
): Promise<CourseAccess | null> {
  const query = accessQuery(reference, { parameter: 'asked.course', person: 'asked.person' })
  if (!query) return null
  const asked = { person: viewer?.id, course: query.key }
  const [row] = await askTogether<AccessRow>(db.$client, accessQuestion(query), asked)
  return row ? accessIn(row, viewer) : null
}

/** The decision itself, from a row that has the columns of an `AccessQuery` about this viewer. */
export function accessIn(row: AccessRow, viewer: Viewer | null): CourseAccess | null {
  const { courseId, courseSlug, instructorId, courseStatus, isEnrolled, isPreview } = row
  if (courseId === null) return null
  const owns = viewer !== null && viewer.id === instructorId
  const admin = viewer?.role === 'admin'
  const standing = owns ? 'instructor' : isEnrolled ? 'member' : viewer ? 'signedIn' : 'visitor'
  const canLearn = owns || isEnrolled || admin
  return {
    courseId,
    slug: courseSlug,
    instructorId,
    status: courseStatus,
    standing,
    canSee: courseStatus === 'published' || canLearn,
    canLearn,
    canEdit: owns,
    canModerate: owns || admin,
    isPreview: isPreview && courseStatus === 'published',
  }
}

/** Members and the instructor write, like, vote and make progress; administrators only look. */
export const takesPart = ({ standing }: CourseAccess): boolean =>
  standing === 'member' || standing === 'instructor'

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
