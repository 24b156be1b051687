import { row } from '../../contract-row.ts'
import { byCourseId } from '../courses/schema.ts'
import {
  activityList,
  activityRange,
  advancedAnalytics,
  advancedQuery,
  analyticsFile,
  creatorAnalytics,
  studentsQuery,
} from './schema.ts'

const proOnly = { status: 403, message: 'Advanced analytics are a Pro benefit.' } as const

export const analytics = {
  /** The 50 newest. */
  getUserActivities: row(
    'signedIn',
    'GET',
    '/rest/v1/user-activities',
    'What I did, and what happened in my courses',
    {
      scope: 'learning:read',
      description:
        'A token without analytics:read is told what its person did, and not what others did in the courses that are this person’s own.',
    },
  )
    .input(activityRange)
    .output(activityList),

  /** The 10 newest. */
  getCourseActivity: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/activity',
    'What happened in a course',
    { scope: 'analytics:read' },
  )
    .input(byCourseId)
    .output(activityList),

  /** The last N days are today (UTC) and the N - 1 days before. */
  getCreatorAnalytics: row('signedIn', 'GET', '/rest/v1/analytics', 'How my courses are doing', {
    scope: 'analytics:read',
  })
    .input(activityRange)
    .output(creatorAnalytics),

  /**
   * Revenue, enrollments, learners, community and where people stop. Its points are days up to 62 days, weeks up to 400,
   * else months.
   */
  getAdvancedAnalytics: row(
    'signedIn',
    'GET',
    '/rest/v1/analytics/advanced',
    'How my courses are doing over time',
    { scope: 'analytics:read' },
  )
    .errors({ PRO_ONLY: proOnly })
    .input(advancedQuery)
    .output(advancedAnalytics),

  /** CSV (UTF-8, RFC 4180): a row for each day and course on which anything happened. */
  exportAnalytics: row(
    'signedIn',
    'GET',
    '/rest/v1/analytics/export',
    'How my courses are doing over time, as a file',
    { scope: 'analytics:read', file: 'text/csv' },
  )
    .route({ outputStructure: 'detailed' })
    .errors({ PRO_ONLY: proOnly })
    .input(advancedQuery)
    .output(analyticsFile),

  /** CSV: a row for each student and course, with progress and what was paid. */
  exportStudents: row(
    'signedIn',
    'GET',
    '/rest/v1/students/export',
    'The students of my courses, as a file',
    {
      scope: 'members:read',
      file: 'text/csv',
      description:
        'To a token without sales:read the last three columns say nothing: what was paid, how, and by which coupon.',
    },
  )
    .route({ outputStructure: 'detailed' })
    .errors({ PRO_ONLY: { status: 403, message: 'Exporting students is a Pro benefit.' } })
    .input(studentsQuery)
    .output(analyticsFile),
}
