// Public pages that are kept for signed-out visitors, each with what its version is made of.
import { profileVersion } from './domains/accounts/queries.ts'
import { profileSearch } from './domains/accounts/schema.ts'
import {
  coursePageVersion,
  profileCounts,
  profileCoursesVersion,
} from './domains/courses/queries.ts'
import { previewPageVersion } from './domains/lessons/preview-lesson.ts'
import { cataloguePageVersion } from './domains/search/list-courses.ts'
import { exploreSearch } from './domains/search/schema.ts'
import { profileReviewsVersion, reviewsPageVersion } from './domains/reviews/queries.ts'
import { reviewSearch } from './domains/reviews/schema.ts'
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
    parameters: ['search', 'category', 'price', 'sort', 'show'],
    version: ({ pool }, _match, search) => {
      const parsed = exploreSearch.safeParse(Object.fromEntries(search))
      return parsed.success ? cataloguePageVersion(pool, parsed.data) : Promise.resolve(null)
    },
  },
  {
    path: /^\/course\/([^/]+)$/,
    version: ({ pool }, match) => coursePageVersion(pool, match[1] ?? ''),
  },
  {
    path: /^\/course\/([^/]+)\/reviews$/,
    parameters: ['page'],
    version: ({ pool }, match, search) =>
      reviewsPageVersion(pool, match[1] ?? '', reviewSearch.parse({ page: search.get('page') })),
  },
  {
    path: /^\/course\/([a-z0-9-]+)\/preview\/([a-z0-9-]+)$/,
    version: ({ pool }, match) => previewPageVersion(pool, match[1] ?? '', match[2] ?? ''),
  },
  {
    path: /^\/user\/([a-z0-9-]{1,80})$/,
    parameters: ['tab', 'show'],
    async version({ pool }, match, search) {
      const person = await profileVersion(pool, match[1] ?? '')
      if (!person) return null
      const { tab, show } = profileSearch.parse(Object.fromEntries(search))
      const [counts, list] = await Promise.all([
        profileCounts(pool, person.id),
        tab === 'reviews'
          ? profileReviewsVersion(pool, person.id, show)
          : profileCoursesVersion(pool, person.id, tab, show),
      ])
      return `${person.version} ${Object.values(counts).join(' ')} ${list}`
    },
  },
]
