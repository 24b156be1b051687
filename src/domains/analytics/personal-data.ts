import { eq, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { userActivities } from './tables.ts'

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
  },
}
