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
        courseTitle: sql`(select c.title from courses c where c.id = user_activities.course_id)`,
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
        courseTitle: sql`(select c.title from courses c where c.id = learner_days.course_id)`,
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
