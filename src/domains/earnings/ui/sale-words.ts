import { platformFeeOf } from '../../billing/rules.ts'
import { returnedFee } from '../../ledger/rules.ts'
import type { Sale } from '../schema.ts'

export const saleStateWords = {
  pending: { label: 'Pending', tone: 'primary' },
  available: { label: 'Available', tone: 'success' },
  paid_out: { label: 'Paid out', tone: 'success' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  disputed: { label: 'Disputed', tone: 'warning' },
  lost: { label: 'Lost to the bank', tone: 'danger' },
} as const satisfies Record<Sale['state'], { label: string; tone: string }>

export const refundPage = (saleId: string) => `/payments/sales/${saleId}/refund`

/** What paying back so much changes: our fee comes back in proportion, and what the card took does not. */
export function refundEffect(sale: Sale, amount: number) {
  const payment = { gross: sale.gross, platformFee: platformFeeOf(sale.gross, sale.feePercent) }
  const taken = sale.refunded + sale.disputed
  const feeBack =
    sale.gross === 0 ? 0 : returnedFee(payment, taken + amount) - returnedFee(payment, taken)
  return {
    feeBack,
    /** Taken from the creator's balance. */
    balance: amount - feeBack,
    isFull: amount >= sale.gross - sale.refunded,
  }
}
