import { data } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Compass } from 'lucide-react'
import { pageMeta } from './page-meta.ts'

export const handle = { still: true }
export const meta = () => pageMeta('Page not found', 'There is nothing at this address.')
export const loader = () => data(null, { status: 404 })

export default function NotFound() {
  return (
    <div className="page-width py-16">
      <EmptyState
        level={1}
        icon={Compass}
        title="Page not found"
        description="The page may have moved, or the address may be mistyped."
        action={<ButtonLink to="/">Back home</ButtonLink>}
      />
    </div>
  )
}
