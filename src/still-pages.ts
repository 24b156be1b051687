// Public pages that are kept for signed-out visitors, each with what its version is made of.
import { cataloguePageVersion, coursePageVersion } from './domains/courses/queries.ts'
import { courseSearch } from './domains/courses/schema.ts'
import type { StillPage } from './server/page-cache.ts'

const builtOnce = async () => 'built'

export const stillPages: StillPage[] = [
  { path: /^\/(?:about|privacy|terms)?$/, version: builtOnce },
  {
    path: /^\/explore$/,
    parameters: ['search', 'category', 'show'],
    version: ({ pool }, _match, search) => {
      const parsed = courseSearch.safeParse(Object.fromEntries(search))
      return parsed.success ? cataloguePageVersion(pool, parsed.data) : Promise.resolve(null)
    },
  },
  {
    path: /^\/course\/([^/]+)$/,
    version: ({ pool }, match) => coursePageVersion(pool, match[1] ?? ''),
  },
]
