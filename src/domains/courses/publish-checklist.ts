import type { Pool } from 'pg'
import { openingObstacle } from './opening-rules.ts'
import { goodDescription, type PricingType } from './rules.ts'
import type { PublishChecklist } from './schema.ts'

/** As many as a person mends at once; the rest is a number. */
const shownLessons = 5

interface ChecklistRow {
  status: 'draft' | 'published'
  lessonsCount: number
  pricingType: PricingType
  hasPicture: boolean
  hasShortDescription: boolean
  descriptionLength: number
  emptyLessons: { id: string; title: string }[]
  emptyLessonsCount: number
}

/** What the course still needs, and what would make it better; null when it is not this instructor's. */
export async function publishChecklist(
  pool: Pool,
  { courseId, instructorId }: { courseId: string; instructorId: string },
): Promise<PublishChecklist | null> {
  const { rows } = await pool.query<ChecklistRow>({
    name: 'publish-checklist',
    text: `
      with empty_lessons as (
        select l.id, l.title, h.order_index as chapter, l.order_index
          from lessons l join chapters h on h.id = l.chapter_id
         where l.course_id = $1 and l.video_id is null and l.video_url is null
           and not jsonb_path_exists(l.content, '$.**.text')
           and not exists (select 1 from lesson_resources r where r.lesson_id = l.id))
      select c.status, c.lessons_count as "lessonsCount", c.pricing_type as "pricingType",
             c.thumbnail_id is not null as "hasPicture",
             c.short_description <> '' as "hasShortDescription",
             length(c.description_text) as "descriptionLength",
             (select count(*)::int from empty_lessons) as "emptyLessonsCount",
             array(select json_build_object('id', e.id, 'title', e.title) from empty_lessons e
                    order by e.chapter, e.order_index limit ${shownLessons}) as "emptyLessons"
        from courses c where c.id = $1 and c.instructor_id = $2`,
    values: [courseId, instructorId],
  })
  const row = rows[0]
  if (!row) return null
  const { status, lessonsCount, emptyLessons, emptyLessonsCount } = row
  const missing: PublishChecklist['missing'] = []
  if (!row.hasPicture) missing.push('picture')
  if (!row.hasShortDescription) missing.push('shortDescription')
  if (row.descriptionLength < goodDescription) missing.push('description')
  const payment = openingObstacle(row)
  const obstacles: PublishChecklist['obstacles'] = []
  if (payment) obstacles.push({ about: 'payment', message: payment })
  return { status, lessonsCount, obstacles, missing, emptyLessons, emptyLessonsCount }
}
