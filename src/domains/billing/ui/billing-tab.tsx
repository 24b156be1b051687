import { useLoaderData, useLocation } from 'react-router'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { loader } from '../../accounts/ui/settings.tsx'
import { BillingSections } from './billing-sections.tsx'

/** /settings#billing */
export function BillingTab() {
  const { billing } = useLoaderData<typeof loader>()
  const { hash } = useLocation()
  const isHydrated = useHydrated()
  return <BillingSections billing={billing} isShown={!isHydrated || hash === '#billing'} />
}
