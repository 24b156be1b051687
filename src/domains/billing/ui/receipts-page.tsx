import { ReceiptText } from 'lucide-react'
import type { Route } from './+types/receipts-page'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { client } from '../../../web/api-client.ts'
import { pageApi } from '../../../web/page-context.ts'
import { LoadMore } from '../../administration/ui/load-more.tsx'
import { useMore } from '../../administration/ui/use-more.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { ReceiptPage } from '../schema.ts'
import { BillingDay } from './billing-day.tsx'
import { BillingProblem } from './billing-problem.tsx'
import { money } from './plan-words.ts'
import { ReceiptLink } from './receipt-link.tsx'

export const meta = () => pageMeta('Receipts', 'All that you paid, with its receipts and invoices.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const cursor = url.searchParams.get('cursor') ?? undefined
  return context.get(pageApi).billing.getReceipts({ cursor })
}

export default function ReceiptsPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page-width grid max-w-[52rem] grid-cols-1 gap-6 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/billing', label: 'Back to Billing' }}
        title="Receipts"
        description="All that you paid, for courses and for Pro"
      />
      {loaderData.receipts.length === 0 ? (
        <EmptyState
          icon={ReceiptText}
          title="No receipts"
          description="What you pay appears here, with its receipt or invoice."
        />
      ) : (
        <Receipts page={loaderData} />
      )}
    </div>
  )
}

const listOf = ({ receipts, nextCursor }: ReceiptPage) => ({ items: receipts, nextCursor })

function Receipts({ page }: { page: ReceiptPage }) {
  const { items, ...rest } = useMore(listOf(page), async (cursor) =>
    listOf(await client.billing.getReceipts({ cursor })),
  )
  return (
    <>
      <Card>
        <ul aria-label="Receipts" className="grid divide-y">
          {items.map((receipt) => (
            <ReceiptItem key={receipt.id} receipt={receipt} />
          ))}
        </ul>
      </Card>
      <LoadMore {...rest} />
    </>
  )
}

function ReceiptItem({ receipt }: { receipt: ReceiptPage['receipts'][number] }) {
  const title = withoutLightning(receipt.description)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="grid min-w-0 gap-0.5">
        <span className="font-semibold wrap-anywhere">{title}</span>
        <span className="text-sm text-muted">
          <BillingDay at={receipt.paidAt} />
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {receipt.refunded > 0 && (
          <span className="text-sm text-muted tabular-nums">
            {money(receipt.refunded, receipt.currency)} paid back
          </span>
        )}
        <span className="font-semibold tabular-nums">
          {money(receipt.amount, receipt.currency)}
        </span>
        <ReceiptLink receipt={receipt} title={title} />
      </div>
    </li>
  )
}

export const ErrorBoundary = BillingProblem
