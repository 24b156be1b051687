import { ReceiptText } from 'lucide-react'
import { redirect } from 'react-router'
import type { Route } from './+types/receipt-page'
import { pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import type { ReceiptDocument } from '../receipt-path.ts'

/** On to where the payment provider shows it now. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const document = params.document as ReceiptDocument
  const { billing } = context.get(pageApi)
  const { url } = await billing.getReceipt({ paymentId: params.paymentId, document })
  throw redirect(url, 303)
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={ReceiptText}
      notFound="Receipt not found"
      description="It is not one of yours, or our payment provider does not have it any more."
      back={{ to: '/billing', label: 'Back to Billing' }}
      failed="Could not open this receipt"
    />
  )
}
