import { SearchX } from 'lucide-react'
import { useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import type { FoundPage } from '../schema.ts'
import { discussionAddress } from './discussion-tab.ts'
import { FoundRow } from './found-row.tsx'
import { foundId, useFound } from './use-found.ts'

type FoundPostsProps = {
  slug: string
  search: string
  /** Null when it could not be looked for. */
  page: FoundPage | null
}

/** What was found in a discussion. */
export function FoundPosts({ slug, search, page }: FoundPostsProps) {
  return (
    <section aria-labelledby="found" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="found" className="text-lg wrap-anywhere">
          Results for “<bdi>{search}</bdi>”
        </h3>
        <BackToDiscussion slug={slug} />
      </div>
      {page === null ? (
        <SearchFailed />
      ) : page.found.length === 0 ? (
        <NothingFound search={search} />
      ) : (
        <FoundList key={search} slug={slug} search={search} page={page} />
      )}
    </section>
  )
}

const BackToDiscussion = ({ slug }: { slug: string }) => (
  <ButtonLink
    to={discussionAddress(slug)}
    variant="ghost"
    size="sm"
    preventScrollReset
    className="-mx-3.5"
  >
    Back to the Discussion
  </ButtonLink>
)

function SearchFailed() {
  const { revalidate, state } = useRevalidator()
  return (
    <ErrorState
      level={3}
      title="Could not search"
      description="Something went wrong on our side. Please try again in a moment."
      onRetry={() => void revalidate()}
      retrying={state !== 'idle'}
    />
  )
}

const NothingFound = ({ search }: { search: string }) => (
  <EmptyState
    level={3}
    icon={SearchX}
    title="Nothing found"
    description={
      <span className="wrap-anywhere">
        No post or comment matches “{search}”. Try fewer or different words.
      </span>
    }
  />
)

type FoundListProps = { slug: string; search: string; page: FoundPage }

function FoundList({ slug, search, page }: FoundListProps) {
  const { found, hasMore, busy, hasFailed, loadMore } = useFound(slug, search, page)
  return (
    <>
      <p aria-live="polite" className="-mt-2 text-muted tabular-nums">
        {countText(found.length, hasMore)}
      </p>
      <ul
        aria-label="Found posts and comments"
        className="divide-y overflow-hidden rounded-card border bg-surface shadow-card"
      >
        {found.map((one) => (
          <FoundRow key={foundId(one)} slug={slug} found={one} />
        ))}
      </ul>
      {hasFailed && (
        <Banner tone="danger">
          More results could not be loaded. Please check your connection.
        </Banner>
      )}
      {hasMore && (
        <Button
          variant="secondary"
          busy={busy}
          busyText="Loading..."
          onClick={() => void loadMore()}
          className="w-fit justify-self-center"
        >
          {hasFailed ? 'Try again' : 'Load More'}
        </Button>
      )}
    </>
  )
}

/** The total is not known as long as there are more: counting them all would cost more than finding these. */
function countText(count: number, hasMore: boolean) {
  const results = count === 1 ? '1 result' : `${count.toLocaleString('en')} results`
  return hasMore ? `The newest ${results}` : results
}
