import { useLocation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'

type LoadMoreProps = {
  nextCursor: string | null
  more: 'idle' | 'loading' | 'failed'
  loadMore: () => Promise<void>
}

/** Where no script is, a link to the page that begins there. */
export function LoadMore({ nextCursor, more, loadMore }: LoadMoreProps) {
  const { pathname, search } = useLocation()
  if (nextCursor === null) return null
  const parameters = new URLSearchParams(search)
  parameters.set('cursor', nextCursor)
  return (
    <div className="grid justify-items-center gap-3">
      {more === 'failed' && (
        <Banner tone="danger">More could not be loaded. Please try again.</Banner>
      )}
      <ButtonLink
        to={`${pathname}?${parameters}`}
        variant="secondary"
        aria-busy={more === 'loading' || undefined}
        onClick={(event) => {
          event.preventDefault()
          void loadMore()
        }}
      >
        {more === 'loading' ? 'Loading...' : 'Load More'}
      </ButtonLink>
    </div>
  )
}
