// Public pages that are kept for signed-out visitors, each with what its version is made of.
import { profileVersion } from './domains/accounts/queries.ts'
import { profileSearch } from './domains/accounts/schema.ts'
import { certificateVersion } from './domains/certificates/queries.ts'
import { challengeListVersion, challengePageVersion } from './domains/challenges/queries.ts'
import {
  coursePageVersion,
  profileCounts,
  profileCoursesVersion,
} from './domains/courses/queries.ts'
import { previewPageVersion } from './domains/lessons/preview-lesson.ts'
import { featuredVersion } from './domains/search/featured-courses.ts'
import { cataloguePageVersion } from './domains/search/list-courses.ts'
import { exploreSearch } from './domains/search/schema.ts'
import { profileReviewsVersion, reviewsPageVersion } from './domains/reviews/queries.ts'
import { reviewSearch } from './domains/reviews/schema.ts'
import { isTopic } from './domains/support/rules.ts'
import type { StillPage } from './server/page-cache.ts'

const builtOnce = async () => 'built'

export const stillPages: StillPage[] = [
  { path: /^\/(?:about|accessibility|offline|privacy|pro|terms)$/, version: builtOnce },
  { path: /^\/blog(?:\/[^/]+)?$/, version: builtOnce },
  { path: /^\/help\/[^/]+$/, version: builtOnce },
  {
    path: /^\/help$/,
    // What people look for is not kept: there is no end to it.
    version: async (_services, _match, search) => (search.get('q') ? null : 'built'),
  },
  {
    path: /^\/$/,
    parameters: ['account'],
    version: ({ pool }, _match, search) =>
      ['', 'deleted'].includes(search.get('account') ?? '')
        ? featuredVersion(pool)
        : Promise.resolve(null),
  },
  { path: /^\/challenges$/, version: ({ pool }) => challengeListVersion(pool) },
  {
    path: /^\/challenges\/([a-z0-9-]{1,200})$/,
    version: ({ pool }, match) => challengePageVersion(pool, match[1] ?? ''),
  },
  {
    path: /^\/support$/,
    parameters: ['topic', 'sent'],
    async version(_services, _match, search) {
      const { topic = 'other', sent = 'true' } = Object.fromEntries(search)
      return isTopic(topic) && sent === 'true' ? 'built' : null
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
    // Where a payment seems to come back the page leads to its plain address.
    parameters: ['coupon', 'invitation', 'success', 'canceled'],
    version: ({ pool }, match) => coursePageVersion(pool, match[1] ?? ''),
  },
  {
    path: /^\/certificates\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
    version: ({ pool }, match) => certificateVersion(pool, match[1] ?? ''),
  },
  {
    path: /^\/course\/([^/]+)\/reviews$/,
    parameters: ['page'],
    version: async ({ pool }, match, search) =>
      // Of a review that is gone the page says so to whoever asked for it.
      search.has('review')
        ? null
        : reviewsPageVersion(
            pool,
            match[1] ?? '',
            reviewSearch.parse({ page: search.get('page') }),
          ),
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
