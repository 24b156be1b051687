import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { courseCard } from '../courses/schema.ts'

export const site = {
  /** Published courses with the most students, at most six. */
  listFeaturedCourses: row(
    'public',
    'GET',
    '/rest/v1/featured-courses',
    'Courses on the home page',
    { scope: 'courses:read', fromReplica: true },
  ).output(z.object({ courses: z.array(courseCard) })),
}
