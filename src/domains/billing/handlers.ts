import { api } from '../../server/api.ts'
import { planOf, transactionFeePercent } from './plan.ts'

export const billing = {
  getUserPlan: api.billing.getUserPlan.handler(({ context }) =>
    planOf(context.services.db, context.viewer.id),
  ),
  getUserTransactionFee: api.billing.getUserTransactionFee.handler(async ({ context }) =>
    transactionFeePercent(await planOf(context.services.db, context.viewer.id)),
  ),
}
