// All that is read about courses. Prepared statements: the hot ones are asked on each request.
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { askTogether, question } from '../../server/ask-together.ts'
import type { Executor } from '../../server/db.ts'
import { shownUsername } from '../accounts/shown-username.ts'
import { lookColumn, shown, type StoredLook } from '../branding/queries.ts'
import { lessonMinutes, videoMinutes } from '../lessons/lesson-minutes.ts'
import type { RichText } from '../lessons/rich-text.ts'
import { lessonResources, lessons } from '../lessons/tables.ts'
import { storageOfCourse } from '../media/course-storage.ts'
import { processingOf } from '../media/processing-of.ts'
import { mediaFiles, videoProcessings } from '../media/tables.ts'
import { writersVersions } from '../reviews/queries.ts'
import { newestReviews } from '../reviews/rules.ts'
import { progressPercent, summaryOf, thumbnailUrls, type PricingType } from './rules.ts'
import type { CourseCard } from './schema.ts'
import { chapters, courses } from './tables.ts'

// Cards -----------------------------------------------------------------------------------------

/** Columns of a card, of `courses c` joined with its instructor, `users u`. */
export const cardColumns = `
  c.id, c.slug, c.title, c.short_description as "shortDescription",
  left(c.description_text, 200) as "opening", c.thumbnail_id as "thumbnailId", c.category, c.level,
  c.pricing_type as "pricingType", c.price_amount as "priceAmount", u.name as "instructorName",
  ${shownUsername('u')} as "instructorUsername",
  c.students_count as "studentsCount", c.lessons_count as "lessonsCount",
  c.rating::float8 as "rating", c.reviews_count as "reviewsCount",
  c.application_required as "applicationRequired", c.verified`

export interface CardRow extends Omit<CourseCard, 'summary' | 'thumbnail'> {
  shortDescription: string
  opening: string
  thumbnailId: string | null
  pricingType: PricingType
}

export function cardOf<Row extends CardRow>(row: Row) {
  return {
    ...row,
    summary: summaryOf(row.shortDescription, row.opening),
    thumbnail: row.thumbnailId === null ? null : thumbnailUrls(row.thumbnailId),
  }
}

// One course ------------------------------------------------------------------------------------

/**
 * Names everything that the public page shows to a signed-out visitor. Null when there is nothing to
 * keep: no such course, a draft, or an address that is not the course's own (which redirects).
 */
export async function coursePageVersion(pool: Pool, slug: string): Promise<string | null> {
  if (!/^[a-z0-9-]+$/.test(slug)) return null
  const [row] = await askTogether<{ version: string }>(pool, versionQuestion, { slug })
  return row?.version ?? null
}

const versionQuestion = question(
  'course-version',
  { slug: 'text' },
  (asked) => `
  select asked.n, concat_ws(',', c.id, c.version, u.version, ${writersVersions(String(newestReviews), '1')}) as version
    from ${asked} join courses c on c.slug = asked.slug join users u on u.id = c.instructor_id
   where c.status = 'published'`,
)

interface PageRow extends CardRow {
  description: RichText
  descriptionText: string
  chaptersCount: number
  totalMinutes: number | null
  allLengthsKnown: boolean
  firstLessons: string[]
  firstLessonsMinutes: (number | null)[]
  firstLessonsPreviews: (string | null)[]
  previewLessons: { title: string; slug: string }[]
  instructorAvatarUrl: string | null
  instructorVerified: boolean
  status: 'draft' | 'published'
  publishedAt: Date | null
  updatedAt: Date
  look: StoredLook
}

const pageQuery = {
  name: 'course-page',
  text: `select ${cardColumns}, c.description, c.description_text as "descriptionText",
                (select count(*)::int from chapters h where h.course_id = c.id) as "chaptersCount",
                array(select l.title from chapters h join lessons l on l.chapter_id = h.id
                       where h.course_id = c.id order by h.order_index, l.order_index limit 4)
                  as "firstLessons",
                array(select ${lessonMinutes} from chapters h join lessons l on l.chapter_id = h.id
                        left join media_files m on m.id = l.video_id
                       where h.course_id = c.id order by h.order_index, l.order_index limit 4)
                  as "firstLessonsMinutes",
                array(select case when l.is_preview then l.slug end
                        from chapters h join lessons l on l.chapter_id = h.id
                       where h.course_id = c.id order by h.order_index, l.order_index limit 4)
                  as "firstLessonsPreviews",
                array(select json_build_object('title', l.title, 'slug', l.slug)
                        from chapters h join lessons l on l.chapter_id = h.id
                       where h.course_id = c.id and l.is_preview
                       order by h.order_index, l.order_index limit 10)
                  as "previewLessons",
                (select sum(${lessonMinutes})::int from lessons l
                   left join media_files m on m.id = l.video_id
                  where l.course_id = c.id) as "totalMinutes",
                not exists(select 1 from lessons l left join media_files m on m.id = l.video_id
                            where l.course_id = c.id and ${lessonMinutes} is null)
                  as "allLengthsKnown",
                u.avatar_url as "instructorAvatarUrl", u.verified as "instructorVerified",
                c.status, c.published_at as "publishedAt", c.updated_at as "updatedAt", ${lookColumn}
           from courses c join users u on u.id = c.instructor_id
          where c.id = $1`,
}

/** What the public page shows, up to what the viewer may do; null when the course is gone. */
export async function coursePage(pool: Pool, courseId: string) {
  const { rows } = await pool.query<PageRow>({ ...pageQuery, values: [courseId] })
  const row = rows[0]
  if (!row) return null
  return {
    ...cardOf(row),
    branding: shown(row.look),
    instructor: {
      name: row.instructorName,
      username: row.instructorUsername,
      avatarUrl: row.instructorAvatarUrl,
      verified: row.instructorVerified,
    },
  }
}

// The signed-in person's courses ------------------------------------------------------------------

type DashboardRow = CardRow & {
  list: 'enrolled' | 'created'
  status: 'draft' | 'published'
  completedCount: number
  /** Null where there is nothing to go on with; then the other two mean nothing. */
  nextSlug: string | null
  nextTitle: string
  nextPosition: number
}

/** Both lists of the person `$1`, each newest first: by enrollment, and by creation. */
const dashboardQuery = {
  name: 'my-dashboard',
  text: `
    select 'enrolled' as "list", e.enrolled_at as "since", ${cardColumns}, c.status,
           (select count(*)::int from lesson_completions d
             where d.user_id = $1 and d.course_id = c.id) as "completedCount",
           coalesce(w.slug, n.slug) as "nextSlug", coalesce(w.title, n.title) as "nextTitle",
           coalesce(w.seconds, 0) as "nextPosition"
      from enrollments e
      join courses c on c.id = e.course_id
      join users u on u.id = c.instructor_id
      left join lateral (
        select l.slug, l.title, p.seconds
          from lesson_positions p join lessons l on l.id = p.lesson_id
         where p.user_id = $1 and p.course_id = c.id
           and not exists (select 1 from lesson_completions d
                            where d.user_id = $1 and d.lesson_id = l.id)
         order by p.updated_at desc limit 1) w on true
      left join lateral (
        select l.slug, l.title
          from chapters h join lessons l on l.chapter_id = h.id
         where h.course_id = c.id and w.slug is null
           and not exists (select 1 from lesson_completions d
                            where d.user_id = $1 and d.lesson_id = l.id)
         order by h.order_index, l.order_index limit 1) n on true
     where e.user_id = $1
    union all
    select 'created', c.created_at, ${cardColumns}, c.status, 0, null, null, null
      from courses c join users u on u.id = c.instructor_id
     where c.instructor_id = $1
     order by "list", "since" desc, "id" desc`,
}

/** The courses that this person takes, with how far and where to go on, and the ones they made. */
export async function myDashboard(pool: Pool, userId: string) {
  const { rows } = await pool.query<DashboardRow>({ ...dashboardQuery, values: [userId] })
  const { enrolled = [], created = [] } = Object.groupBy(rows, ({ list }) => list)
  return {
    enrolled: enrolled.map(({ nextSlug, nextTitle, nextPosition, ...row }) => ({
      ...cardOf(row),
      progressPercent: progressPercent(row.completedCount, row.lessonsCount),
      continueWith:
        nextSlug === null ? null : { slug: nextSlug, title: nextTitle, position: nextPosition },
    })),
    created: created.map(cardOf),
  }
}

// Somebody's public profile ------------------------------------------------------------------------

export type ProfileTab = 'enrolled' | 'created'

/** Published courses on a tab of the profile, newest first, of the person `$1`. */
const profileTabs: Record<ProfileTab, string> = {
  enrolled: `from enrollments e join courses c on c.id = e.course_id join users u on u.id = c.instructor_id
              where e.user_id = $1 and c.status = 'published'
              order by e.enrolled_at desc, e.id desc`,
  created: `from courses c join users u on u.id = c.instructor_id
             where c.instructor_id = $1 and c.status = 'published'
             order by c.created_at desc, c.id desc`,
}

/** The first cards of a tab, and whether there are more. */
export async function profileCourses(pool: Pool, userId: string, tab: ProfileTab, show: number) {
  const { rows } = await pool.query<CardRow>({
    name: `profile-courses ${tab}`,
    text: `select ${cardColumns} ${profileTabs[tab]} limit $2`,
    values: [userId, show + 1],
  })
  return { courses: rows.slice(0, show).map(cardOf), hasMore: rows.length > show }
}

interface ProfileCounts {
  coursesCreated: number
  coursesEnrolled: number
  reviewsCount: number
}

/** How many published courses a person made, is enrolled in, and reviewed as one who is still in them. */
export async function profileCounts(pool: Pool, userId: string) {
  const { rows } = await pool.query<ProfileCounts>({
    name: 'profile-counts',
    text: `select (select count(*)::int from courses c
                    where c.instructor_id = $1 and c.status = 'published') as "coursesCreated",
                  (select count(*)::int from enrollments e join courses c on c.id = e.course_id
                    where e.user_id = $1 and c.status = 'published') as "coursesEnrolled",
                  (select count(*)::int from course_reviews r join courses c on c.id = r.course_id
                    where r.user_id = $1 and c.status = 'published'
                      and exists (select 1 from enrollments e
                                   where e.user_id = $1 and e.course_id = c.id)) as "reviewsCount"`,
    values: [userId],
  })
  return rows[0]!
}

/** Names all that a tab of the profile shows of courses: its cards with their versions. */
export async function profileCoursesVersion(
  pool: Pool,
  userId: string,
  tab: ProfileTab,
  show: number,
): Promise<string> {
  const { rows } = await pool.query<[string, string, string]>({
    name: `profile-courses-version ${tab}`,
    text: `select c.id, c.version, u.version ${profileTabs[tab]} limit $2`,
    values: [userId, show + 1],
    rowMode: 'array',
  })
  return rows.join(' ')
}

// To edit -----------------------------------------------------------------------------------------

type Own = { courseId: string; instructorId: string }

const own = ({ courseId, instructorId }: Own) =>
  and(eq(courses.id, courseId), eq(courses.instructorId, instructorId))

/** Course information for its form; null when the course is not this instructor's. */
export async function courseFormValues(executor: Executor, course: Own) {
  const [row] = await executor
    .select({
      id: courses.id,
      slug: courses.slug,
      status: courses.status,
      title: courses.title,
      shortDescription: courses.shortDescription,
      description: courses.description,
      category: courses.category,
      level: courses.level,
      thumbnailId: courses.thumbnailId,
      pricingType: courses.pricingType,
      priceAmount: courses.priceAmount,
      applicationRequired: courses.applicationRequired,
      applicationInstructions: courses.applicationInstructions,
      watermark: courses.watermark,
    })
    .from(courses)
    .where(own(course))
  return (
    row && { ...row, thumbnail: row.thumbnailId === null ? null : thumbnailUrls(row.thumbnailId) }
  )
}

/** Chapters, lessons and links for the editor; null when the course is not this instructor's. */
export async function courseContent(executor: Executor, course: Own) {
  // The version first: what is saved in between is then noticed when this is sent back.
  const [head] = await executor
    .select({
      id: courses.id,
      slug: courses.slug,
      title: courses.title,
      status: courses.status,
      contentVersion: courses.contentVersion,
    })
    .from(courses)
    .where(own(course))
  if (!head) return null
  const chapterRows = await executor
    .select({ id: chapters.id, title: chapters.title })
    .from(chapters)
    .where(eq(chapters.courseId, head.id))
    .orderBy(asc(chapters.orderIndex))
  const lessonRows = await executor
    .select({
      id: lessons.id,
      chapterId: lessons.chapterId,
      title: lessons.title,
      content: lessons.content,
      videoUrl: lessons.videoUrl,
      isPreview: lessons.isPreview,
      durationMinutes: lessons.durationMinutes,
      videoMinutes: sql<number | null>`${sql.raw(videoMinutes('media_files'))}`,
      video: {
        id: mediaFiles.id,
        filename: mediaFiles.filename,
        sizeBytes: mediaFiles.sizeBytes,
        status: mediaFiles.status,
        problem: mediaFiles.problem,
        processing: processingOf,
      },
    })
    .from(lessons)
    .leftJoin(mediaFiles, eq(mediaFiles.id, lessons.videoId))
    .leftJoin(videoProcessings, eq(videoProcessings.mediaId, mediaFiles.id))
    .where(eq(lessons.courseId, head.id))
    .orderBy(asc(lessons.orderIndex))
  const linkRows = await executor
    .select({
      id: lessonResources.id,
      lessonId: lessonResources.lessonId,
      title: lessonResources.title,
      url: lessonResources.url,
      description: lessonResources.description,
    })
    .from(lessonResources)
    .innerJoin(lessons, eq(lessons.id, lessonResources.lessonId))
    .where(eq(lessons.courseId, head.id))
    .orderBy(asc(lessonResources.orderIndex))
  const linksOf = Map.groupBy(linkRows, (link) => link.lessonId)
  const lessonsOf = Map.groupBy(
    lessonRows.map((lesson) => ({ ...lesson, links: linksOf.get(lesson.id) ?? [] })),
    (lesson) => lesson.chapterId,
  )
  return {
    ...head,
    storage: await storageOfCourse(executor, head.id),
    chapters: chapterRows.map((chapter) => ({
      ...chapter,
      lessons: lessonsOf.get(chapter.id) ?? [],
    })),
  }
}
