import { FileText } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { client } from '../../../web/api-client.ts'
import { useAnswer } from '../../../web/use-answer.ts'
import type { BillingHistory as History, BillingPage } from '../schema.ts'
import { AllReceipts } from './all-receipts.tsx'
import { BillingDay } from './billing-day.tsx'
import { money } from './plan-words.ts'

type BillingHistoryProps = {
  billing: BillingPage
  /** Invoices that the page was sent with, where no script runs; null when they could not be had. */
  first?: History | null
}

/** The invoices of the payment provider; none is ever made up. */
export function BillingHistory({ billing, first }: BillingHistoryProps) {
  const { customer_id: customerId } = billing.subscription
  return (
    <Card id="history">
      <CardHeader title="Billing History" />
      {customerId === null ? (
        <NoInvoices isPro={billing.plan === 'pro'} />
      ) : first === undefined ? (
        <AskedHistory billing={billing} customerId={customerId} />
      ) : first === null ? (
        <NoAnswer action={<a href="/billing?history=shown">Try again</a>} />
      ) : (
        <Invoices history={first} isPro={billing.plan === 'pro'} />
      )}
    </Card>
  )
}

function AskedHistory({ billing, customerId }: { billing: BillingPage; customerId: string }) {
  const { plan, subscription } = billing
  // Another period or plan has another invoice.
  const about = [
    customerId,
    subscription.subscription_status,
    subscription.current_period_end,
    billing.purchases.flatMap(({ receipts }) => receipts).length,
  ].join(' ')
  const { answer, hasFailed, again } = useAnswer(about, () =>
    client.billing.stripeBillingHistory({ customer_id: customerId }),
  )
  if (answer) return <Invoices history={answer} isPro={plan === 'pro'} />
  if (hasFailed) return <NoAnswer onRetry={again} />
  return (
    <>
      <output className="flex items-center gap-3 py-6 text-muted">
        <Spinner />
        Loading billing history...
      </output>
      <noscript>
        <a href="/billing?history=shown#history">Show billing history</a>
      </noscript>
    </>
  )
}

function NoAnswer(way: { onRetry: () => void } | { action: React.ReactNode }) {
  return (
    <ErrorState
      level={3}
      title="Could not load your billing history"
      description="The payment service did not answer. Your invoices are safe there."
      className="border-0 py-6"
      {...way}
    />
  )
}

function NoInvoices({ isPro }: { isPro: boolean }) {
  return (
    <div className="grid justify-items-center gap-1.5 py-6 text-center">
      <h3 className="text-lg">No billing history</h3>
      <p className="text-pretty text-muted">
        {isPro
          ? 'Your invoices appear here after your first payment.'
          : 'Your invoices appear here once you upgrade to Pro or buy a monthly course.'}
      </p>
    </div>
  )
}

function Invoices({ history, isPro }: { history: History; isPro: boolean }) {
  if (history.invoices.length === 0 && !history.has_more) return <NoInvoices isPro={isPro} />
  return (
    <>
      <ul aria-label="Invoices" className="grid divide-y">
        {history.invoices.map((invoice) => (
          <li
            key={invoice.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4 first:pt-0 last:pb-0"
          >
            <div className="grid min-w-0 gap-0.5">
              <span className="font-semibold wrap-anywhere">{invoice.description}</span>
              <span className="text-sm text-muted">
                <BillingDay at={invoice.created} />
              </span>
            </div>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <Badge tone={invoice.status === 'paid' ? 'success' : 'warning'}>
                {invoice.status === 'paid' ? 'Paid' : 'Pending'}
              </Badge>
              <span className="font-semibold tabular-nums">
                {money(invoice.amount, invoice.currency)}
              </span>
              {invoice.invoice_pdf !== null && (
                <a
                  href={invoice.invoice_pdf}
                  target="_blank"
                  rel="noreferrer"
                  className={buttonClass({ variant: 'secondary', size: 'sm' })}
                >
                  <span className="inline-flex items-center gap-2">
                    <FileText size={16} aria-hidden />
                    Invoice
                  </span>
                  <span className="sr-only"> for {invoice.description} (PDF, in a new tab)</span>
                </a>
              )}
            </div>
          </li>
        ))}
      </ul>
      {history.has_more && (
        <p className="mt-4 text-sm text-pretty text-muted">
          Only the newest invoices are listed here. What was paid before is among <AllReceipts />.
        </p>
      )}
    </>
  )
}
