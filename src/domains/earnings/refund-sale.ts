import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { publishToPerson } from '../../server/publish.ts'
import { holdPeople } from '../accounts/hold-people.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { payments } from '../payments/tables.ts'
import { amountLabel } from '../purchases/amount-label.ts'
import { enqueueRefund } from './refund-job.ts'
import { refundableOf } from './sale-state.ts'
import { refundRequests } from './tables.ts'

interface Wish {
  creatorId: string
  saleId: string
  amount: number
  /** By which the same wish is known when it comes again. */
  requestId?: string
}

type Asked = 'asked' | 'NOT_FOUND' | { refused: 'TOO_MUCH' | 'NOT_REFUNDABLE'; message: string }

/**
 * Notes that a creator pays a sale back, in full or in part. A job asks the provider; what follows from it is in
 * docs/money.md.
 */
export const askForRefund = (
  { db }: Pick<Services, 'db'>,
  { creatorId, saleId, amount, requestId }: Wish,
): Promise<Asked> =>
  db.transaction(async (transaction) => {
    await holdPeople(transaction, [creatorId])
    const own = transaction
      .select({ id: ledgerAccounts.id })
      .from(ledgerAccounts)
      .where(eq(ledgerAccounts.userId, creatorId))
    const [sale] = await transaction
      .select()
      .from(payments)
      .where(
        and(
          eq(payments.id, saleId),
          eq(payments.kind, 'course'),
          inArray(payments.creatorAccountId, own),
        ),
      )
      .for('update')
    if (!sale) return 'NOT_FOUND'
    const before = requestId && (await requestOf(transaction, requestId))
    if (before) return isSame(before, { creatorId, saleId, amount }) ? 'asked' : otherWish(sale)
    const waiting = await transaction.$count(
      refundRequests,
      and(eq(refundRequests.paymentId, saleId), eq(refundRequests.status, 'waiting')),
    )
    const refusal = refusalOf(sale, { amount, isRefunding: waiting > 0 })
    if (refusal) return refusal
    const [request] = await transaction
      .insert(refundRequests)
      .values({ id: requestId, paymentId: saleId, requestedBy: creatorId, amount })
      .onConflictDoNothing({ target: refundRequests.id })
      .returning({ id: refundRequests.id })
    if (!request) return otherWish(sale)
    await enqueueRefund(transaction, request.id)
    await publishToPerson(transaction, creatorId, { type: 'earnings' })
    return 'asked'
  })

async function requestOf(transaction: Transaction, id: string) {
  const [found] = await transaction.select().from(refundRequests).where(eq(refundRequests.id, id))
  return found
}

const isSame = (
  { paymentId, requestedBy, amount, status }: typeof refundRequests.$inferSelect,
  wish: Wish,
): boolean =>
  paymentId === wish.saleId &&
  requestedBy === wish.creatorId &&
  // Of one that the provider refused nothing was paid back, whatever is typed by now.
  (amount === wish.amount || status === 'refused')

/** Somebody changed the amount after an answer that was lost. */
const otherWish = ({ refunded, currency }: typeof payments.$inferSelect) => {
  const now = refunded > 0 ? ` ${amountLabel(refunded, currency)} of this sale were paid back.` : ''
  const message = `This refund was asked for before, of another amount.${now} Look at the sale before you pay back more.`
  return { refused: 'NOT_REFUNDABLE', message } as const
}

function refusalOf(
  sale: typeof payments.$inferSelect,
  { amount, isRefunding }: { amount: number; isRefunding: boolean },
): Exclude<Asked, string> | null {
  const not = (message: string) => ({ refused: 'NOT_REFUNDABLE', message }) as const
  if (isRefunding) return not('A refund of this sale is under way already.')
  if (sale.dispute === 'open') {
    return not('The bank of the buyer is deciding about this payment. It cannot be refunded now.')
  }
  if (sale.dispute === 'lost') return not('The bank has given this payment back to the buyer.')
  const left = refundableOf(sale, isRefunding)
  if (left === 0) return not('This sale has been paid back in full.')
  if (amount <= left) return null
  const message = `At most ${amountLabel(left, sale.currency)} can be paid back.`
  return { refused: 'TOO_MUCH', message }
}
