// All that is read about lessons, and what a learner leaves behind in them.
import { and, eq, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { askTogether, question } from '../../server/ask-together.ts'
import type { Executor } from '../../server/db.ts'
import { executePrepared } from '../../server/execute-prepared.ts'
import { lookColumn, shown, type StoredLook } from '../branding/queries.ts'
import { progressPercent } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { lessonMinutes } from './lesson-minutes.ts'
import type { RichText } from './rich-text.ts'
import type { LessonPage } from './schema.ts'
import { lessons } from './tables.ts'
import { videoColumns, videoJoins, videoOf, type VideoRow } from './video-of.ts'

interface LessonRow extends VideoRow {
  id: string
  slug: string
  title: string
  content: RichText
  chapterTitle: string
  number: number
  lessonsCount: number
  minutes: number | null
  resources: LessonPage['resources']
  completedAt: Date | null
  position: number
  previousSlug: string | null
  previousTitle: string | null
  nextSlug: string | null
  nextTitle: string | null
  courseId: string
  courseSlug: string
  courseTitle: string
  isWatermarked: boolean
  look: StoredLook
}

/** The lesson beside lesson `l` of chapter `h`: the last one before it, or the first one after it. */
const beside = (which: 'before' | 'after') => {
  const [sign, order] = which === 'before' ? ['<', 'desc'] : ['>', 'asc']
  return `(select l2.slug, l2.title
             from chapters h2 join lessons l2 on l2.chapter_id = h2.id
            where h2.course_id = asked.course and h2.order_index ${sign}= h.order_index
              and (h2.order_index, l2.order_index) ${sign} (h.order_index, l.order_index)
            order by h2.order_index ${order}, l2.order_index ${order} limit 1) ${which}`
}

/** The links beside lesson `l`. */
export const resourcesColumn = `
  coalesce((select json_agg(json_build_object('id', r.id, 'title', r.title, 'url', r.url,
                                              'description', r.description)
                            order by r.order_index)
              from lesson_resources r where r.lesson_id = l.id), '[]') as "resources"`

/**
 * With a course, a present or earlier slug of the lesson, and a person. It reads the chapters around the lesson
 * and no others, so that a long course costs no more than a short one.
 */
const lessonQuestion = question(
  'lesson-page',
  { course: 'uuid', slug: 'text', person: 'uuid' },
  (asked) => `
    select asked.n, l.id, l.slug, l.title, l.content, h.title as "chapterTitle",
           l.order_index + (select count(*)::int
                              from chapters h2 join lessons l2 on l2.chapter_id = h2.id
                             where h2.course_id = asked.course and h2.order_index < h.order_index) as "number",
           c.lessons_count as "lessonsCount",
           before.slug as "previousSlug", before.title as "previousTitle",
           after.slug as "nextSlug", after.title as "nextTitle",
           ${videoColumns}, ${lessonMinutes} as "minutes",
           ${resourcesColumn},
           d.completed_at as "completedAt", coalesce(p.seconds, 0) as "position",
           c.id as "courseId", c.slug as "courseSlug", c.title as "courseTitle",
           c.watermark as "isWatermarked", ${lookColumn}
      from ${asked}
      join lesson_slugs s on s.course_id = asked.course and s.slug = asked.slug
      join lessons l on l.id = s.lesson_id
      join chapters h on h.id = l.chapter_id
      join courses c on c.id = s.course_id
      ${videoJoins}
      left join lesson_completions d on d.lesson_id = l.id and d.user_id = asked.person
      left join lesson_positions p on p.lesson_id = l.id and p.user_id = asked.person
      left join lateral ${beside('before')} on true
      left join lateral ${beside('after')} on true`,
)

const neighbour = (slug: string | null, title: string | null) =>
  slug === null || title === null ? null : { slug, title }

type Asked = { courseId: string; lessonSlug: string; secret: string }

/** A lesson as this person sees it, by its present or an earlier slug; null when there is none. */
export async function lessonPage(pool: Pool, userId: string, asked: Asked) {
  const [row] = await askTogether<LessonRow>(pool, lessonQuestion, {
    course: asked.courseId,
    slug: asked.lessonSlug,
    person: userId,
  })
  if (!row) return null
  return {
    ...row,
    video: videoOf(row, { viewerId: userId, secret: asked.secret }),
    previous: neighbour(row.previousSlug, row.previousTitle),
    next: neighbour(row.nextSlug, row.nextTitle),
    course: {
      id: row.courseId,
      slug: row.courseSlug,
      title: row.courseTitle,
      branding: shown(row.look),
    },
  }
}

/** The slugs that make up a lesson's address; null when it is not a lesson of this course. */
export async function lessonAddress(executor: Executor, courseId: string, lessonId: string) {
  const [row] = await executor
    .select({ courseSlug: courses.slug, lessonSlug: lessons.slug })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .where(and(eq(lessons.id, lessonId), eq(lessons.courseId, courseId)))
  return row ?? null
}

/** How far this person is: in this lesson and in the whole course. */
export async function completionState(
  executor: Executor,
  which: { userId: string; courseId: string; lessonId: string },
) {
  const { userId, courseId, lessonId } = which
  const { rows } = await executePrepared<{
    lessonsCount: number
    completedCount: number
    completedAt: string | null
  }>(
    executor,
    sql`select c.lessons_count as "lessonsCount", count(d.id)::int as "completedCount",
               max(d.completed_at) filter (where d.lesson_id = ${lessonId}) as "completedAt"
          from courses c
          left join lesson_completions d on d.course_id = c.id and d.user_id = ${userId}
         where c.id = ${courseId} group by c.id`,
  )
  const { lessonsCount = 0, completedCount = 0, completedAt = null } = rows[0] ?? {}
  return {
    completedAt: completedAt === null ? null : new Date(completedAt),
    completedCount,
    lessonsCount,
    progressPercent: progressPercent(completedCount, lessonsCount),
  }
}
