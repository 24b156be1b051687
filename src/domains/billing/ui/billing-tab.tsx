import { useLoaderData } from 'react-router'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { loader } from '../../accounts/ui/settings.tsx'
import { BillingSections } from './billing-sections.tsx'

/** /settings#billing */
export function BillingTab({ isShown }: { isShown: boolean }) {
  const { billing } = useLoaderData<typeof loader>()
  const isHydrated = useHydrated()
  return <BillingSections billing={billing} isShown={!isHydrated || isShown} />
}
