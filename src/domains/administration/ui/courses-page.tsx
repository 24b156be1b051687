import { SearchX } from 'lucide-react'
import type { Route } from './+types/courses-page'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { client } from '../../../web/api-client.ts'
import { pageApi } from '../../../web/page-context.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { VerifiedTick } from '../../courses/ui/verified-badge.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { courseFilters, type CoursesPage as Page } from '../schema.ts'
import { DayOf } from './day-of.tsx'
import { LoadMore } from './load-more.tsx'
import { SearchBar } from './search-bar.tsx'
import { useMore } from './use-more.ts'
import { TextLink } from './text-link.tsx'

const here = '/admin/courses'

const filters = {
  all: 'All',
  published: 'Published',
  draft: 'Drafts',
  suspended: 'Suspended',
  verified: 'Verified',
}

type Filter = keyof typeof filters

export const meta = () => pageMeta('Courses', 'Find a course, drafts too.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, 100)
  const chosen = url.searchParams.get('filter')
  const filter = courseFilters.find((one) => one === chosen) ?? 'all'
  const cursor = url.searchParams.get('cursor') ?? undefined
  const page = await context.get(pageApi).administration.getCourses({ search, filter, cursor })
  return { page, search, filter }
}

export default function CoursesPage({ loaderData }: Route.ComponentProps) {
  const { page, search, filter } = loaderData
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader title="Courses" description="Of all creators, newest first." />
      <SearchBar
        here={here}
        label="Title, address or creator"
        search={search}
        filter={filter}
        filters={filters}
      />
      <CourseList key={`${search} ${filter}`} page={page} search={search} filter={filter} />
    </div>
  )
}

function CourseList({ page, search, filter }: { page: Page; search: string; filter: Filter }) {
  const { items, ...rest } = useMore(
    { items: page.courses, nextCursor: page.nextCursor },
    async (cursor) => {
      const next = await client.administration.getCourses({ search, filter, cursor })
      return { items: next.courses, nextCursor: next.nextCursor }
    },
  )
  if (items.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="No courses found"
        description="Published courses are found by the words of their titles, all others by how the title begins, and by their creator."
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <ul
        // Safari forgets that a list without bullets is one, unless told.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        role="list"
        aria-label="Courses"
        className="divide-y rounded-card border bg-surface"
      >
        {items.map((course) => (
          <li key={course.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="grid min-w-0 flex-1 basis-52">
              <p className="font-semibold wrap-anywhere">
                <TextLink to={`${here}/${course.id}`}>{withoutLightning(course.title)}</TextLink>{' '}
                {course.verified && <VerifiedTick />}
              </p>
              <p className="text-sm wrap-anywhere text-muted">by {course.creator.name}</p>
            </div>
            <div className="flex flex-wrap items-center gap-2">
              {course.suspendedAt ? (
                <Badge tone="danger">Suspended</Badge>
              ) : (
                course.status === 'draft' && <Badge tone="warning">Draft</Badge>
              )}
              <span className="text-sm text-muted">
                made <DayOf at={course.createdAt} />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <LoadMore {...rest} />
    </div>
  )
}
