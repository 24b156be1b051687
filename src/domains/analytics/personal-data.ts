import { eq, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import {
  courseDayChanges,
  courseDays,
  learnerDays,
  lessonCounts,
  userActivities,
} from './tables.ts'

const numbers = 'numbers of many people, by course and day'

/** Null for who is not in a course any more while it is a draft: what it is called by then is not theirs to know. */
const titleShown = (table: 'user_activities' | 'learner_days') =>
  sql.raw(`(select c.title from courses c
    where c.id = ${table}.course_id
      and (c.status = 'published' or c.instructor_id = ${table}.user_id
           or exists (select 1 from enrollments e
                       where e.user_id = ${table}.user_id and e.course_id = c.id)))`)

export const analyticsData: PersonalData = {
  tables: {
    activities: personalTable(userActivities, {
      about: 'What you did in courses, as their creators read it under Recent Activity.',
      rowsOf: ({ id }) => eq(userActivities.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        courseId: 'exported',
        activityType: 'exported',
        lessonId: 'exported',
        createdAt: 'exported',
      },
      also: {
        courseTitle: titleShown('user_activities'),
      },
      onDeletion: 'deleted',
    }),
    learnerDays: personalTable(learnerDays, {
      about: 'The days on which you learned in a course.',
      rowsOf: ({ id }) => eq(learnerDays.userId, id),
      columns: {
        courseId: 'exported',
        day: 'exported',
        userId: { withheld: 'always you' },
      },
      also: {
        courseTitle: titleShown('learner_days'),
      },
      onDeletion: 'deleted',
    }),
  },
  aboutNobody: [
    { table: courseDays, because: numbers },
    { table: courseDayChanges, because: numbers },
    { table: lessonCounts, because: numbers },
  ],
}
