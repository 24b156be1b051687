// Public pages that are kept for signed-out visitors, each with what its version is made of.
import { profileVersion } from './domains/accounts/queries.ts'
import { profileSearch } from './domains/accounts/schema.ts'
import {
  cataloguePageVersion,
  coursePageVersion,
  profileCoursesVersion,
} from './domains/courses/queries.ts'
import { courseSearch } from './domains/courses/schema.ts'
import type { StillPage } from './server/page-cache.ts'

const builtOnce = async () => 'built'

export const stillPages: StillPage[] = [
  { path: /^\/(?:about|privacy|terms)$/, version: builtOnce },
  {
    path: /^\/$/,
    parameters: ['account'],
    async version(_services, _match, search) {
      return ['', 'deleted'].includes(search.get('account') ?? '') ? 'built' : null
    },
  },
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
  {
    path: /^\/user\/([a-z0-9-]{1,80})$/,
    parameters: ['tab', 'show'],
    async version({ pool }, match, search) {
      const person = await profileVersion(pool, match[1] ?? '')
      if (!person) return null
      const { tab, show } = profileSearch.parse(Object.fromEntries(search))
      return `${person.version} ${await profileCoursesVersion(pool, person.id, tab, show)}`
    },
  },
]
