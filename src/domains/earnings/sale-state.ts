// What a sale is called. The same rule twice, because lists are filtered by it: in words, and as conditions of a statement.
import { type SQL, sql } from 'drizzle-orm'
import type { Sale } from './schema.ts'

export interface SaleFacts {
  gross: number
  refunded: number
  dispute: 'open' | 'won' | 'lost' | null
  /** A payout that did not fail reached it. */
  isPaidOut: boolean
  /** The provider has released it. */
  isReleased: boolean
}

export function saleStateOf(sale: SaleFacts): Sale['state'] {
  if (sale.refunded >= sale.gross) return 'refunded'
  if (sale.dispute === 'lost') return 'lost'
  if (sale.dispute === 'open') return 'disputed'
  if (sale.isPaidOut) return 'paid_out'
  return sale.isReleased ? 'available' : 'pending'
}

/** Of the sale `p` (payments), with `c` (the newest payout that did not fail) beside it. */
export const isPaidOut = sql`
  coalesce((p.available_at, p.id) <= (c.covers_until, c.covers_payment_id), false)`
export const isReleased = sql`p.available_at <= now()`

const isWhole = sql`p.refunded < p.gross`
const isTheirs = sql`${isWhole} and p.dispute is distinct from 'open' and p.dispute is distinct from 'lost'`

export const saleStateConditions: Record<Sale['state'], SQL> = {
  refunded: sql`p.refunded >= p.gross`,
  lost: sql`${isWhole} and p.dispute = 'lost'`,
  disputed: sql`${isWhole} and p.dispute = 'open'`,
  paid_out: sql`${isTheirs} and ${isPaidOut}`,
  pending: sql`${isTheirs} and not ${isPaidOut} and p.available_at > now()`,
  available: sql`${isTheirs} and not ${isPaidOut} and ${isReleased}`,
}

/** What can still be paid back: nothing while a bank or another refund is about it. */
export const refundableOf = (
  sale: Pick<SaleFacts, 'gross' | 'refunded' | 'dispute'>,
  isRefunding: boolean,
): number =>
  isRefunding || sale.dispute === 'open' || sale.dispute === 'lost'
    ? 0
    : Math.max(0, sale.gross - sale.refunded)
