import { row } from '../../contract-row.ts'
import { byCourseId } from '../courses/schema.ts'
import { activityList, activityRange } from './schema.ts'

export const analytics = {
  /** The 50 newest. */
  getUserActivities: row(
    'signedIn',
    'GET',
    '/rest/v1/user-activities',
    'What I did, and what happened in my courses',
  )
    .input(activityRange)
    .output(activityList),

  /** The 10 newest. */
  getCourseActivity: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/activity',
    'What happened in a course',
  )
    .input(byCourseId)
    .output(activityList),
}
