import { api } from '../../server/api.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { planOf } from '../billing/plan.ts'
import { courseAccess } from '../courses/access.ts'
import { funnelOf, pointsOf } from './advanced-analytics.ts'
import { analyticsFile } from './analytics-file.ts'
import { creatorAnalytics } from './creator-analytics.ts'
import { activitiesOfCourse, activitiesOfPerson } from './queries.ts'
import { studentsFile } from './students-file.ts'

const notFound = { message: 'Course not found' }

const daysIn = ({ days }: { days?: string }) => (days === undefined ? null : Number(days))

/** What is asked about, all own courses or one of them; null when that is not the viewer's. */
async function subjectOf(
  services: Services,
  viewer: Viewer,
  { courseId }: { courseId?: string },
): Promise<{ userId: string; courseId: string | null; slug: string | null } | null> {
  if (courseId === undefined) return { userId: viewer.id, courseId: null, slug: null }
  const course = await courseAccess(services.db, viewer, { courseId })
  return course?.canEdit ? { userId: viewer.id, courseId, slug: course.slug } : null
}

const csvAnswer = (slug: string | null, name: string, body: ReadableStream<Uint8Array>) => ({
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${slug === null ? '' : `${slug}-`}${name}.csv"`,
    'cache-control': 'private, no-store',
  },
  body,
})

export const analytics = {
  getUserActivities: api.analytics.getUserActivities.handler(
    async ({ input, context: { services, viewer } }) => {
      const seesOthers = viewer.scopes?.includes('analytics:read') ?? true
      const wanted = { userId: viewer.id, days: daysIn(input), seesOthers }
      return { activities: await activitiesOfPerson(services.pool, wanted) }
    },
  ),

  getCourseActivity: api.analytics.getCourseActivity.handler(
    async ({ context: { services, course } }) => ({
      activities: await activitiesOfCourse(services.pool, course.courseId),
    }),
  ),

  getCreatorAnalytics: api.analytics.getCreatorAnalytics.handler(
    ({ input, context: { services, viewer } }) =>
      creatorAnalytics(services.pool, viewer.id, daysIn(input)),
  ),

  getAdvancedAnalytics: api.analytics.getAdvancedAnalytics.handler(
    async ({ input, context: { services, viewer }, errors }) => {
      if ((await planOf(services.db, viewer.id)) !== 'pro') throw errors.PRO_ONLY()
      const { courseId } = input
      const userId = viewer.id
      const funnel = courseId ? await funnelOf(services.pool, { userId, courseId }) : null
      if (courseId && !funnel) throw errors.NOT_FOUND(notFound)
      const wanted = { userId, courseId: courseId ?? null, days: daysIn(input) }
      return { currency: 'usd', funnel, ...(await pointsOf(services.pool, wanted)) }
    },
  ),

  exportAnalytics: api.analytics.exportAnalytics.handler(
    async ({ input, context: { services, viewer }, errors }) => {
      if ((await planOf(services.db, viewer.id)) !== 'pro') throw errors.PRO_ONLY()
      const subject = await subjectOf(services, viewer, input)
      if (!subject) throw errors.NOT_FOUND(notFound)
      const file = analyticsFile(services.pool, { ...subject, days: daysIn(input) })
      return csvAnswer(subject.slug, 'analytics', file)
    },
  ),

  exportStudents: api.analytics.exportStudents.handler(
    async ({ input, context: { services, viewer }, errors }) => {
      if ((await planOf(services.db, viewer.id)) !== 'pro') throw errors.PRO_ONLY()
      const subject = await subjectOf(services, viewer, input)
      if (!subject) throw errors.NOT_FOUND(notFound)
      const seesMoney = viewer.scopes?.includes('sales:read') ?? true
      const file = studentsFile(services.pool, { ...subject, seesMoney })
      return csvAnswer(subject.slug, 'students', file)
    },
  ),
}
