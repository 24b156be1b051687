import type { Pool } from 'pg'
import { cataloguePageVersion, listCourses } from './list-courses.ts'
import type { CourseSearch } from './schema.ts'

/** What the home page shows of the catalogue: the published courses with the most students. */
const featured: CourseSearch = {
  search: '',
  category: 'All',
  price: 'all',
  sort: 'popular',
  show: 6,
}

export const featuredCourses = async (pool: Pool) => (await listCourses(pool, featured)).courses

/** Names everything that is shown of them. */
export const featuredVersion = (pool: Pool): Promise<string> => cataloguePageVersion(pool, featured)
