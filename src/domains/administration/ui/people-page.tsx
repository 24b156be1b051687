import { SearchX } from 'lucide-react'
import type { Route } from './+types/people-page'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { EmailAddress } from '../../../ui/email-address.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { client } from '../../../web/api-client.ts'
import { pageApi } from '../../../web/page-context.ts'
import { VerifiedTick } from '../../courses/ui/verified-badge.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { type PeoplePage as Page, personFilters } from '../schema.ts'
import { DayOf } from './day-of.tsx'
import { LoadMore } from './load-more.tsx'
import { SearchBar } from './search-bar.tsx'
import { useMore } from './use-more.ts'
import { TextLink } from './text-link.tsx'

const here = '/admin/people'

const filters = {
  all: 'All',
  suspended: 'Suspended',
  admins: 'Administrators',
  pro: 'Pro',
  verified: 'Verified',
}

type Filter = keyof typeof filters

export const meta = () => pageMeta('People', 'Find an account.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, 100)
  const chosen = url.searchParams.get('filter')
  const filter = personFilters.find((one) => one === chosen) ?? 'all'
  const cursor = url.searchParams.get('cursor') ?? undefined
  const page = await context.get(pageApi).administration.getPeople({ search, filter, cursor })
  return { page, search, filter }
}

export default function PeoplePage({ loaderData }: Route.ComponentProps) {
  const { page, search, filter } = loaderData
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader title="People" description="Newest first." />
      <SearchBar
        here={here}
        label="Name, username or email address"
        search={search}
        filter={filter}
        filters={filters}
      />
      <PeopleList key={`${search} ${filter}`} page={page} search={search} filter={filter} />
    </div>
  )
}

function PeopleList({ page, search, filter }: { page: Page; search: string; filter: Filter }) {
  const { items, ...rest } = useMore(
    { items: page.people, nextCursor: page.nextCursor },
    async (cursor) => {
      const next = await client.administration.getPeople({ search, filter, cursor })
      return { items: next.people, nextCursor: next.nextCursor }
    },
  )
  if (items.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="Nobody found"
        description="Search by the start of a name or username, or by a full email address."
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <ul
        // Safari forgets that a list without bullets is one, unless told.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        role="list"
        aria-label="People"
        className="divide-y rounded-card border bg-surface"
      >
        {items.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <Avatar name={person.name} src={person.avatarUrl} lazy />
            <div className="grid min-w-0 flex-1 basis-52">
              <p className="font-semibold wrap-anywhere">
                <TextLink to={`${here}/${person.id}`}>{person.name}</TextLink>{' '}
                {person.verified && <VerifiedTick />}
              </p>
              <p className="text-sm text-muted">
                <EmailAddress address={person.email} />
              </p>
            </div>
            <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:pl-14">
              {person.suspendedAt && <Badge tone="danger">Suspended</Badge>}
              {person.role === 'admin' && <Badge tone="primary">Administrator</Badge>}
              {person.plan === 'pro' && <Badge tone="spark">PRO</Badge>}
              <span className="text-sm text-muted">
                joined <DayOf at={person.createdAt} />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <LoadMore {...rest} />
    </div>
  )
}
