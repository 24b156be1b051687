import { useId } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { Select } from '../../../ui/field.tsx'
import { type Sort, sorts } from '../rules.ts'
import { discussionAddress, type FeedView } from './discussion-tab.ts'

const labels: Record<Sort, string> = {
  newest: 'Newest',
  oldest: 'Oldest',
  highest: 'Most liked',
  lowest: 'Least liked',
  helpful: 'Most helpful',
}

/** In which order the posts are shown; pinned ones come first in all of them. */
export function FeedSort({ slug, view }: { slug: string; view: FeedView }) {
  const navigate = useNavigate()
  const id = useId()
  const { location } = useNavigation()
  const addressOf = (sort: Sort) => discussionAddress(slug, { ...view, sort })
  // What was chosen stays chosen while it is on its way.
  const next = location && location.pathname + location.search
  const chosen = sorts.find((sort) => addressOf(sort) === next)

  function choose(sort: Sort) {
    void navigate(addressOf(sort), { preventScrollReset: true })
  }

  return (
    <div className="flex items-center gap-2.5">
      <label htmlFor={id} className="text-sm whitespace-nowrap text-muted">
        Sort by
      </label>
      <Select
        id={id}
        value={chosen ?? view.sort}
        onChange={(event) => choose(event.target.value as Sort)}
        className="w-40"
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {labels[sort]}
          </option>
        ))}
      </Select>
    </div>
  )
}
