export type ReceiptDocument = 'receipt' | 'invoice'

/** A page of ours that leads on to the provider's, whose own links go out after a month. */
export const receiptPath = (paymentId: string, document: ReceiptDocument): string =>
  `/billing/receipts/${paymentId}/${document}`
