import { CreditCard } from 'lucide-react'
import { PageProblem } from '../../courses/ui/page-problem.tsx'

/** For a page about billing that could not be shown. */
export function BillingProblem() {
  return (
    <PageProblem
      icon={CreditCard}
      notFound="Page not found"
      description="There is nothing at this address."
      back={{ to: '/dashboard', label: 'Back to Dashboard' }}
      failed="Could not load your billing"
    />
  )
}
