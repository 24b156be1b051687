import { and, desc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { receiptPath } from '../billing/receipt-path.ts'
import { payments } from './tables.ts'

const perPage = 50

/** Microseconds, as PostgreSQL keeps them: a Date would lose three digits. */
const before = (cursor: string) => {
  const end = cursor.indexOf('_')
  return sql`(${payments.paidAt}, ${payments.id})
    < (timestamptz 'epoch' + ${cursor.slice(0, end)}::bigint * interval '1 microsecond',
       ${cursor.slice(end + 1)}::uuid)`
}

/** One page of all that this person paid, newest first. */
export async function receiptsOf(executor: Executor, payerId: string, cursor?: string) {
  const rows = await executor
    .select({
      id: payments.id,
      told: {
        id: payments.id,
        description: payments.description,
        amount: payments.gross,
        refunded: payments.refunded,
        currency: payments.currency,
        paidAt: payments.paidAt,
      },
      receiptUrl: payments.receiptUrl,
      invoiceId: payments.invoiceId,
      place: sql<string>`(extract(epoch from ${payments.paidAt}) * 1000000)::bigint::text`,
    })
    .from(payments)
    .where(and(eq(payments.payerId, payerId), cursor ? before(cursor) : undefined))
    .orderBy(desc(payments.paidAt), desc(payments.id))
    .limit(perPage + 1)
  const shown = rows.slice(0, perPage)
  const last = rows.length > perPage ? shown.at(-1) : undefined
  return {
    receipts: shown.map(({ id, told, receiptUrl, invoiceId }) => ({
      ...told,
      receiptUrl: receiptUrl === null ? null : receiptPath(id, 'receipt'),
      invoicePdf: invoiceId === null ? null : receiptPath(id, 'invoice'),
    })),
    nextCursor: last ? `${last.place}_${last.id}` : null,
  }
}
