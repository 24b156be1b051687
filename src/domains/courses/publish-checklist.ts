import type { Pool } from 'pg'
import type { RichText } from '../lessons/rich-text.ts'
import { obstaclesIn } from './author-check.ts'
import { goodDescription } from './rules.ts'
import type { PublishChecklist } from './schema.ts'

/** As many as a person mends at once; the rest is a number. */
const shownLessons = 5

interface ChecklistRow {
  status: 'draft' | 'published'
  pricingType: PublishChecklist['pricingType']
  priceAmount: number
  lessonsCount: number
  hasPicture: boolean
  hasShortDescription: boolean
  descriptionLength: number
  emptyLessons: { id: string; title: string }[]
  emptyLessonsCount: number
  description: RichText
}

type Obstacle = PublishChecklist['obstacles'][number]

/** In the order in which they are shown. */
const kinds = ['noCaptions', 'unclearLink', 'emptyHeading', 'skippedHeading'] as const

interface TextRow {
  id: string
  title: string
  /** Null where nothing in it can be an obstacle: it may be long. */
  content: RichText | null
  lacksCaptions: boolean
}

/** What keeps some people from what the course says, in its description and its lessons. */
async function obstaclesOf(
  pool: Pool,
  courseId: string,
  description: RichText,
): Promise<Obstacle[]> {
  const { rows } = await pool.query<TextRow>({
    name: 'author-check',
    text: `
      select l.id, l.title,
             case when jsonb_path_exists(l.content, '$.** ? (@.type == "heading" || @.type == "link")')
                  then l.content end as content,
             l.video_id is not null
               and not exists (select 1 from video_captions k where k.media_id = l.video_id)
               as "lacksCaptions"
        from lessons l join chapters h on h.id = l.chapter_id
       where l.course_id = $1 order by h.order_index, l.order_index`,
    values: [courseId],
  })
  const inDescription = new Set<Obstacle['kind']>(obstaclesIn(description))
  const lessons = rows.map(({ id, title, content, lacksCaptions }) => ({
    lesson: { id, title },
    kinds: new Set<Obstacle['kind']>([
      ...(content ? obstaclesIn(content) : []),
      ...(lacksCaptions ? (['noCaptions'] as const) : []),
    ]),
  }))
  return kinds
    .map((kind) => {
      const found = lessons.filter((one) => one.kinds.has(kind)).map(({ lesson }) => lesson)
      return {
        kind,
        inDescription: inDescription.has(kind),
        lessons: found.slice(0, shownLessons),
        lessonsCount: found.length,
      }
    })
    .filter((obstacle) => obstacle.inDescription || obstacle.lessonsCount > 0)
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
      select c.status, c.pricing_type as "pricingType", c.price_amount as "priceAmount",
             c.lessons_count as "lessonsCount",
             c.thumbnail_id is not null as "hasPicture",
             c.short_description <> '' as "hasShortDescription",
             length(c.description_text) as "descriptionLength", c.description,
             (select count(*)::int from empty_lessons) as "emptyLessonsCount",
             array(select json_build_object('id', e.id, 'title', e.title) from empty_lessons e
                    order by e.chapter, e.order_index limit ${shownLessons}) as "emptyLessons"
        from courses c where c.id = $1 and c.instructor_id = $2`,
    values: [courseId, instructorId],
  })
  const row = rows[0]
  if (!row) return null
  const { status, pricingType, priceAmount, lessonsCount, emptyLessons, emptyLessonsCount } = row
  const missing: PublishChecklist['missing'] = []
  if (!row.hasPicture) missing.push('picture')
  if (!row.hasShortDescription) missing.push('shortDescription')
  if (row.descriptionLength < goodDescription) missing.push('description')
  return {
    status,
    pricingType,
    priceAmount,
    lessonsCount,
    missing,
    emptyLessons,
    emptyLessonsCount,
    obstacles: await obstaclesOf(pool, courseId, row.description),
  }
}
