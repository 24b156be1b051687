import { useSearchParams } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'

/** On the home page, for who comes there after deleting the account. */
export function Farewell() {
  const [search] = useSearchParams()
  if (search.get('account') !== 'deleted') return null
  return (
    <div className="page-width pt-6">
      <Banner tone="success" title="Your account is deleted">
        You are signed out everywhere. If your account had an email address, an email confirms it.
        Thank you for having been here.
      </Banner>
    </div>
  )
}
