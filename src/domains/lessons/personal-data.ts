import { count, eq, type SQL, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import {
  lessonCompletions,
  lessonNotes,
  lessonPositions,
  lessonResources,
  lessons,
  lessonSlugs,
} from './tables.ts'

const inOwnCourse = (courseId: SQL, userId: string) =>
  sql`${courseId} in (select c.id from courses c where c.instructor_id = ${userId})`

const courseTitle = (table: string) =>
  sql`(select c.title from courses c where c.id = ${sql.raw(table)}.course_id)`

const lessonTitle = (table: string) =>
  sql`(select l.title from lessons l where l.id = ${sql.raw(table)}.lesson_id)`

export const lessonsData: PersonalData = {
  tables: {
    lessons: personalTable(lessons, {
      about: 'The lessons of your courses; content is the rich text as the editor keeps it.',
      rowsOf: ({ id }) => inOwnCourse(sql`lessons.course_id`, id),
      columns: {
        id: 'exported',
        courseId: 'exported',
        chapterId: 'exported',
        title: 'exported',
        slug: 'exported',
        content: 'exported',
        videoId: 'exported',
        videoUrl: 'exported',
        isPreview: 'exported',
        durationMinutes: 'exported',
        orderIndex: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    lessonAddresses: personalTable(lessonSlugs, {
      about: 'Every address that a lesson of yours has or had.',
      rowsOf: ({ id }) => inOwnCourse(sql`lesson_slugs.course_id`, id),
      columns: { courseId: 'exported', slug: 'exported', lessonId: 'exported' },
      onDeletion: 'anonymised',
    }),
    lessonLinks: personalTable(lessonResources, {
      about: 'The links beside your lessons.',
      rowsOf: ({ id }) =>
        sql`lesson_resources.lesson_id in (select l.id from lessons l where ${inOwnCourse(sql`l.course_id`, id)})`,
      columns: {
        id: 'exported',
        lessonId: 'exported',
        title: 'exported',
        url: 'exported',
        description: 'exported',
        orderIndex: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    completedLessons: personalTable(lessonCompletions, {
      about: 'The lessons that you completed, and when.',
      rowsOf: ({ id }) => eq(lessonCompletions.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        lessonId: 'exported',
        courseId: 'exported',
        completedAt: 'exported',
      },
      also: {
        lessonTitle: lessonTitle('lesson_completions'),
        courseTitle: courseTitle('lesson_completions'),
      },
      onDeletion: 'deleted',
    }),
    videoPositions: personalTable(lessonPositions, {
      about: 'Where you left a video, in seconds, and which of its seconds you have watched.',
      rowsOf: ({ id }) => eq(lessonPositions.userId, id),
      columns: {
        userId: { withheld: 'always you' },
        lessonId: 'exported',
        courseId: 'exported',
        seconds: 'exported',
        watched: 'exported',
        watchCredit: { withheld: 'a measure against forged reports, of no meaning later' },
        updatedAt: 'exported',
      },
      also: { lessonTitle: lessonTitle('lesson_positions') },
      onDeletion: 'deleted',
    }),
    notes: personalTable(lessonNotes, {
      about: 'What you wrote down beside lessons; nobody else sees it.',
      rowsOf: ({ id }) => eq(lessonNotes.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        lessonId: 'exported',
        courseId: 'exported',
        seconds: 'exported',
        text: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      also: {
        lessonTitle: lessonTitle('lesson_notes'),
        courseTitle: courseTitle('lesson_notes'),
      },
      onDeletion: 'deleted',
    }),
  },

  async consequences(executor, { id }) {
    const [completed] = await executor
      .select({ total: count() })
      .from(lessonCompletions)
      .where(eq(lessonCompletions.userId, id))
    const total = completed?.total ?? 0
    if (total === 0) return []
    const lessonsDone = total === 1 ? '1 completed lesson' : `${total} completed lessons`
    return [
      { text: `Your progress goes: ${lessonsDone}, and where you left videos.`, stays: false },
    ]
  },
}
