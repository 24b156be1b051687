import { api } from '../../server/api.ts'
import { featuredCourses } from '../search/featured-courses.ts'

export const site = {
  listFeaturedCourses: api.site.listFeaturedCourses.handler(async ({ context }) => ({
    courses: await featuredCourses(context.services.pool),
  })),
}
