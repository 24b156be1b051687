import { api } from '../../server/api.ts'
import { earningsOf } from './earnings-of.ts'
import { isOver } from './months.ts'
import { askForRefund } from './refund-sale.ts'
import { saleOf, salesOf } from './sales.ts'
import { salesFile } from './sales-file.ts'
import { statementOf } from './statement.ts'
import { statementPdf } from './statement-pdf.ts'

const notFound = { message: 'Sale not found' }

const fileHeaders = (type: string, name: string) => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'private, no-store',
})

export const earnings = {
  getEarnings: api.earnings.getEarnings.handler(({ context }) =>
    earningsOf(context.services.db, context.viewer.id),
  ),

  getSales: api.earnings.getSales.handler(({ input, context }) =>
    salesOf(context.services.db, context.viewer.id, input),
  ),

  getSale: api.earnings.getSale.handler(async ({ input, context, errors }) => {
    const sale = await saleOf(context.services.db, context.viewer.id, input.saleId)
    if (!sale) throw errors.NOT_FOUND(notFound)
    return sale
  }),

  exportSales: api.earnings.exportSales.handler(({ input, context }) => ({
    headers: fileHeaders('text/csv; charset=utf-8', 'sales.csv'),
    body: salesFile(context.services.db, context.viewer.id, input.courseId),
  })),

  getStatement: api.earnings.getStatement.handler(async ({ input, context, errors }) => {
    const { month } = input
    const isTest = context.services.payments.mode !== 'live'
    if (!isOver(month, new Date())) throw errors.NOT_OVER()
    const statement = await statementOf(context.services.db, context.viewer.id, month)
    if (!statement)
      throw errors.NOT_FOUND({
        message: 'There is no statement of this month: you had not sold anything yet.',
      })
    return {
      headers: fileHeaders('application/pdf', `statement-${month}.pdf`),
      body: new Blob([await statementPdf(statement, { isTest })]).stream(),
    }
  }),

  refundSale: api.earnings.refundSale.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const asked = await askForRefund(services, { ...input, creatorId: viewer.id })
    if (asked === 'NOT_FOUND') throw errors.NOT_FOUND(notFound)
    if (asked !== 'asked') throw errors[asked.refused](asked)
    const sale = await saleOf(services.db, viewer.id, input.saleId)
    if (!sale) throw errors.NOT_FOUND(notFound)
    return sale
  }),
}
