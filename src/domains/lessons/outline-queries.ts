import type { Pool } from 'pg'
import { askTogether, question } from '../../server/ask-together.ts'
import { progressPercent } from '../courses/rules.ts'
import { lessonMinutes } from './lesson-minutes.ts'

interface OutlineRow {
  chapterId: string
  chapterTitle: string
  id: string | null
  title: string
  slug: string
  hasVideo: boolean
  isPreview: boolean
  minutes: number | null
  completed: boolean
  /** Seconds into its video; null where this person never played it. */
  position: number | null
  /** When it was played last, in seconds of the epoch. */
  playedAt: number | null
}

// A person's positions in the course by their index, not one look for each lesson.
const outlineQuestion = question(
  'course-outline',
  { course: 'uuid', person: 'uuid' },
  (asked) => `
         select asked.n, h.id as "chapterId", h.title as "chapterTitle", l.id, l.title, l.slug,
                (l.video_id is not null or l.video_url is not null) as "hasVideo",
                l.is_preview as "isPreview", ${lessonMinutes} as "minutes",
                d.id is not null as "completed", p.seconds as "position",
                extract(epoch from p.updated_at)::float8 as "playedAt"
           from ${asked} join chapters h on h.course_id = asked.course
           left join lessons l on l.chapter_id = h.id
           left join media_files m on m.id = l.video_id
           left join lesson_completions d on d.lesson_id = l.id and d.user_id = asked.person
           left join lesson_positions p
             on p.lesson_id = l.id and p.user_id = asked.person and p.course_id = asked.course
          order by asked.n, h.order_index, l.order_index`,
)

type Lesson = Omit<OutlineRow, 'id' | 'chapterId' | 'chapterTitle'> & { id: string }

/** Chapters and lessons with this person's ticks, and where to go on. */
export async function courseOutline(pool: Pool, courseId: string, userId: string) {
  const asked = { course: courseId, person: userId }
  const rows = await askTogether<OutlineRow & { n: string }>(pool, outlineQuestion, asked)
  const outline: { id: string; title: string; lessons: Lesson[] }[] = []
  for (const { n: _, chapterId, chapterTitle, id, ...lesson } of rows) {
    if (outline.at(-1)?.id !== chapterId) {
      outline.push({ id: chapterId, title: chapterTitle, lessons: [] })
    }
    if (id !== null) outline.at(-1)!.lessons.push({ id, ...lesson })
  }
  const all = outline.flatMap((chapter) => chapter.lessons)
  const completedCount = all.filter((lesson) => lesson.completed).length
  return {
    chapters: outline,
    completedCount,
    lessonsCount: all.length,
    progressPercent: progressPercent(completedCount, all.length),
    continueWith: continueWith(all),
  }
}

/** The lesson that was played last, of those that are not completed; else the first of these; else the first. */
function continueWith(all: Lesson[]) {
  const open = all.filter((lesson) => !lesson.completed)
  const playedLast = open
    .filter(({ playedAt }) => playedAt !== null)
    .toSorted((one, other) => other.playedAt! - one.playedAt!)
  const next = playedLast[0] ?? open[0] ?? all[0]
  if (!next) return null
  return { slug: next.slug, title: next.title, position: next.completed ? 0 : (next.position ?? 0) }
}
