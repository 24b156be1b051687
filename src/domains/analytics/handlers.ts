import { api } from '../../server/api.ts'
import { activitiesOfCourse, activitiesOfPerson } from './queries.ts'

export const analytics = {
  getUserActivities: api.analytics.getUserActivities.handler(
    async ({ input, context: { services, viewer } }) => {
      const days = input.days === undefined ? null : Number(input.days)
      return { activities: await activitiesOfPerson(services.pool, viewer.id, days) }
    },
  ),

  getCourseActivity: api.analytics.getCourseActivity.handler(
    async ({ context: { services, course } }) => ({
      activities: await activitiesOfCourse(services.pool, course.courseId),
    }),
  ),
}
