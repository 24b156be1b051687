import { type ReactNode, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { cn } from '../../../ui/cn.ts'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { EmailAddress } from '../../../ui/email-address.tsx'
import { BillingDay } from '../../billing/ui/billing-day.tsx'
import { money } from '../../billing/ui/plan-words.ts'
import { withoutLightning } from '../../courses/rules.ts'
import type { Sale } from '../schema.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { refundPage, saleStateWords } from './sale-words.ts'

export function SaleItem({ sale }: { sale: Sale }) {
  const [isOpen, setIsOpen] = useState(false)
  const { label, tone } = saleStateWords[sale.state]
  const title = withoutLightning(sale.courseTitle)
  return (
    <li className="grid gap-4 rounded-card border p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 sm:flex-nowrap">
        <div className="grid min-w-0 gap-0.5">
          <h3 className="text-base wrap-anywhere">{title}</h3>
          <p className="text-sm text-muted wrap-anywhere">
            {sale.buyer ? (
              <>
                <bdi>{sale.buyer.name}</bdi> (<EmailAddress address={sale.buyer.email} />)
              </>
            ) : (
              'A deleted account'
            )}
          </p>
          <p className="text-sm text-muted">
            <BillingDay at={sale.paidAt} />
            {sale.pricingType === 'monthly' && (sale.isRenewal ? ' · renewal' : ' · first month')}
          </p>
        </div>
        <div className="grid gap-1 sm:shrink-0 sm:justify-items-end">
          <Badge tone={tone}>{label}</Badge>
          {sale.state === 'pending' && (
            <p className="text-sm text-muted">
              Available on <BillingDay at={sale.availableAt} />
            </p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <Amounts sale={sale} />
        {sale.refundable > 0 && (
          <DialogButton
            page={refundPage(sale.id)}
            onOpen={() => setIsOpen(true)}
            variant="secondary"
            size="sm"
            aria-label={`Refund ${title}, bought by ${sale.buyer?.name ?? 'a deleted account'}`}
          >
            Refund
          </DialogButton>
        )}
      </div>
      <RefundState sale={sale} />
      {isOpen && <RefundDialog sale={sale} onClose={() => setIsOpen(false)} />}
    </li>
  )
}

function Amounts({ sale }: { sale: Sale }) {
  const minus = (amount: number) => money(0 - amount, sale.currency)
  return (
    <dl className="grid grow grid-cols-2 gap-x-6 gap-y-2 text-sm sm:flex sm:flex-wrap">
      <Amount term="Paid">{money(sale.gross, sale.currency)}</Amount>
      <Amount term={`Our fee (${sale.feePercent}%)`}>{minus(sale.platformFee)}</Amount>
      <Amount term="Card fee">{minus(sale.providerFee)}</Amount>
      {sale.refunded > 0 && <Amount term="Refunded">{minus(sale.refunded)}</Amount>}
      {sale.disputed > 0 && <Amount term="Taken by the bank">{minus(sale.disputed)}</Amount>}
      {sale.disputeFee > 0 && <Amount term="Dispute fee">{minus(sale.disputeFee)}</Amount>}
      <Amount term="You earned" isResult>
        {money(sale.net, sale.currency)}
      </Amount>
    </dl>
  )
}

type AmountProps = { term: string; isResult?: boolean; children: ReactNode }

function Amount({ term, isResult = false, children }: AmountProps) {
  return (
    <div className="grid content-start">
      <dt className="text-muted">{term}</dt>
      <dd className={cn('tabular-nums', isResult && 'font-semibold')}>{children}</dd>
    </div>
  )
}

/** What became of the creator's last wish to pay it back; a refund that was made is among the amounts. */
function RefundState({ sale }: { sale: Sale }) {
  if (!sale.refund || sale.refund.status === 'done') return null
  const amount = money(sale.refund.amount, sale.currency)
  return sale.refund.status === 'waiting' ? (
    <p className="text-sm text-pretty text-muted">
      A refund of {amount} is on its way to the payment provider.
    </p>
  ) : (
    <p className="text-sm text-pretty text-danger">
      The refund of {amount} was refused. {sale.refund.refusal}
    </p>
  )
}
