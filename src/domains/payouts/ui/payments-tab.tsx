import { useLoaderData } from 'react-router'
import type { loader } from '../../accounts/ui/settings.tsx'
import { PaymentsSections } from './payments-sections.tsx'

/** /settings#payments */
export function PaymentsTab() {
  const { payments } = useLoaderData<typeof loader>()
  return <PaymentsSections payments={payments} />
}
