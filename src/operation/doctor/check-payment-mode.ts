import { modeConflict } from '../../domains/payments/payment-mode.ts'
import type { Config } from '../../server/config.ts'
import type { Db } from '../../server/db.ts'
import { paymentModeOf } from '../../server/stripe.ts'
import { found, type Finding, well, wrong } from './finding.ts'

/** Whether the keys are of the mode whose money the database has. */
export const checkPaymentMode = (db: Db, config: Config): Promise<Finding[]> =>
  found('payment mode', 'Start Thunder once: it brings the database up to date.', async () => {
    const mode = paymentModeOf(config)
    const conflict = await modeConflict(db, mode)
    return conflict
      ? wrong('payment mode', conflict.found, conflict.todo)
      : well('payment mode', `The database has no money of another mode than ${mode}.`)
  })
