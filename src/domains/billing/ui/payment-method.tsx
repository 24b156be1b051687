import { CreditCard } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import type { SubscriptionRecord } from '../schema.ts'
import { payerName } from './plan-words.ts'
import { UpdatePayment } from './update-payment.tsx'

/** The card or account that pays for Pro. */
export function PaymentMethod({ subscription }: { subscription: SubscriptionRecord }) {
  const { payment_method_brand: brand, payment_method_last4: last4 } = subscription
  return (
    <Card>
      <CardHeader
        title="Payment Method"
        actions={<UpdatePayment label="Update" ariaLabel="Update payment method" size="sm" />}
      />
      {brand || last4 ? (
        <p className="flex flex-wrap items-center gap-3">
          <CreditCard size={20} aria-hidden className="text-muted" />
          <span className="font-semibold wrap-anywhere">{payerName(brand ?? 'card')}</span>
          {last4 && (
            <span className="tabular-nums">
              <span aria-hidden>•••• </span>
              <span className="sr-only">ending in </span>
              {last4}
            </span>
          )}
          <Badge>Default</Badge>
        </p>
      ) : (
        <p className="text-muted">No payment method on file</p>
      )}
    </Card>
  )
}
