import { Wallet } from 'lucide-react'
import { PageProblem } from '../../courses/ui/page-problem.tsx'

/** For a page about payments that could not be shown. */
export function PaymentsProblem() {
  return (
    <PageProblem
      icon={Wallet}
      notFound="Page not found"
      description="There is nothing at this address."
      back={{ to: '/payments', label: 'Back to Payments' }}
      failed="Could not load your payments"
    />
  )
}
