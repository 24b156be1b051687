import { and, eq } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import type { ReceiptDocument } from '../billing/receipt-path.ts'
import { unlessMissing } from './is-missing.ts'
import { payments as table } from './tables.ts'

/** Where the provider shows a receipt of this person, or its invoice, as of now; null when it has none. */
export async function receiptAddress(
  { db, payments }: Pick<Services, 'db' | 'payments'>,
  {
    payerId,
    paymentId,
    document,
  }: { payerId: string; paymentId: string; document: ReceiptDocument },
): Promise<string | null> {
  const { charges, invoices } = payments.stripe
  const [paid] = await db
    .select({ chargeId: table.chargeId, invoiceId: table.invoiceId })
    .from(table)
    .where(and(eq(table.id, paymentId), eq(table.payerId, payerId)))
  if (!paid) return null
  if (document === 'receipt') {
    return (await unlessMissing(charges.retrieve(paid.chargeId)))?.receipt_url ?? null
  }
  const invoice = paid.invoiceId && (await unlessMissing(invoices.retrieve(paid.invoiceId)))
  return (invoice && (invoice.invoice_pdf ?? invoice.hosted_invoice_url)) || null
}
