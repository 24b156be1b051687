import { row } from '../../contract-row.ts'
import {
  byMonth,
  bySaleId,
  earnings as earned,
  file,
  newRefund,
  sale,
  salePage,
  salesFileQuery,
  salesQuery,
} from './schema.ts'

export const earnings = {
  getEarnings: row('signedIn', 'GET', '/rest/v1/earnings', 'What I earned', {
    scope: 'sales:read',
  }).output(earned),

  getSales: row('signedIn', 'GET', '/rest/v1/sales', 'My sales', { scope: 'sales:read' })
    .input(salesQuery)
    .output(salePage),

  getSale: row('signedIn', 'GET', '/rest/v1/sales/{saleId}', 'One of my sales', {
    scope: 'sales:read',
  })
    .input(bySaleId)
    .output(sale),

  /** CSV (UTF-8, RFC 4180), made while it is sent. */
  exportSales: row('signedIn', 'GET', '/rest/v1/sales/export', 'My sales, as a file', {
    scope: 'sales:read',
    file: 'text/csv',
  })
    .route({ outputStructure: 'detailed' })
    .input(salesFileQuery)
    .output(file),

  /** PDF. It adds up: what was there before, each booking, and what is there now. */
  getStatement: row('signedIn', 'GET', '/rest/v1/statements/{month}', 'My statement of a month', {
    scope: 'sales:read',
    file: 'application/pdf',
  })
    .route({ outputStructure: 'detailed' })
    .errors({
      NOT_OVER: { status: 409, message: 'The statement of this month can be had when it is over.' },
    })
    .input(byMonth)
    .output(file),

  /** In full or in part. Answered before the provider has done it: the sale says what becomes of it. */
  refundSale: row('signedIn', 'POST', '/rest/v1/sales/{saleId}/refunds', 'Pay a sale back', {
    scope: 'sales:write',
  })
    .errors({
      TOO_MUCH: { status: 422 },
      /** Its message says why. */
      NOT_REFUNDABLE: { status: 409 },
    })
    .input(newRefund)
    .output(sale),
}
