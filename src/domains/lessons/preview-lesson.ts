// Lessons that their creator shows to everybody.
import type { Pool } from 'pg'
import { lookColumn, shown, type StoredLook } from '../branding/queries.ts'
import { videoAddressEnd } from '../media/video-address.ts'
import { lessonMinutes } from './lesson-minutes.ts'
import { resourcesColumn } from './queries.ts'
import type { RichText } from './rich-text.ts'
import type { PreviewLesson } from './schema.ts'
import { videoColumns, videoJoins, videoOf, type VideoRow } from './video-of.ts'

interface PreviewRow extends VideoRow {
  id: string
  slug: string
  title: string
  content: RichText
  minutes: number | null
  resources: PreviewLesson['resources']
  courseId: string
  courseSlug: string
  courseTitle: string
  instructorName: string
  lessonsCount: number
  look: StoredLook
}

/** With `$1` the course and `$2` a present or earlier slug of the lesson. */
const previewQuery = {
  name: 'preview-lesson',
  text: `
    select l.id, l.slug, l.title, l.content, ${videoColumns}, ${lessonMinutes} as "minutes",
           ${resourcesColumn}, c.id as "courseId", c.slug as "courseSlug", c.title as "courseTitle",
           u.name as "instructorName", c.lessons_count as "lessonsCount",
           ${lookColumn}
      from lesson_slugs s
      join lessons l on l.id = s.lesson_id
      join courses c on c.id = s.course_id
      join users u on u.id = c.instructor_id
      ${videoJoins}
     where s.course_id = $1 and s.slug = $2 and l.is_preview`,
}

type Asked = { courseId: string; lessonSlug: string; viewerId: string | null; secret: string }

/** A free preview, with addresses for this viewer; null when the lesson is none. */
export async function previewLesson(pool: Pool, { courseId, lessonSlug, ...viewer }: Asked) {
  const { rows } = await pool.query<PreviewRow>({ ...previewQuery, values: [courseId, lessonSlug] })
  const row = rows[0]
  if (!row) return null
  return {
    ...row,
    video: videoOf(row, viewer),
    course: {
      id: row.courseId,
      slug: row.courseSlug,
      title: row.courseTitle,
      instructorName: row.instructorName,
      lessonsCount: row.lessonsCount,
      branding: shown(row.look),
    },
  }
}

/**
 * Names everything that the preview shows to a signed-out visitor, also until when its addresses are good.
 * Null when there is nothing to keep: no preview, a draft, or an earlier address (which redirects).
 */
export async function previewPageVersion(
  pool: Pool,
  slug: string,
  lessonSlug: string,
): Promise<string | null> {
  const { rows } = await pool.query<(string | null)[]>({
    name: 'preview-version',
    text: `select c.id, c.version, u.version, v.updated_at::text,
                  (select string_agg(k.language, ' ' order by k.language)
                     from video_captions k where k.media_id = l.video_id)
             from courses c
             join users u on u.id = c.instructor_id
             join lessons l on l.course_id = c.id
             left join video_processings v on v.media_id = l.video_id
            where c.slug = $1 and c.status = 'published' and l.slug = $2 and l.is_preview`,
    values: [slug, lessonSlug],
    rowMode: 'array',
  })
  return rows[0] ? [...rows[0], videoAddressEnd()].join() : null
}
