import * as z from 'zod'
import { row } from '../../contract-row.ts'

export const billing = {
  getUserPlan: row('signedIn', 'POST', '/rest/v1/rpc/get_user_plan', 'My plan').output(
    z.enum(['free', 'pro']),
  ),

  getUserTransactionFee: row(
    'signedIn',
    'POST',
    '/rest/v1/rpc/get_user_transaction_fee',
    'My transaction fee, in percent of a sale',
  ).output(z.number()),
}
