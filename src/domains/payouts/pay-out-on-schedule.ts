import { sql } from 'drizzle-orm'
import { enqueueEach, laterThanOthers } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { followArrived } from './follow-payouts.ts'
import { settleDeparted } from './leave-earnings.ts'
import { requestPayout } from './request-payout.ts'

/** What the queue says of a job that the clock started: when it was due, also when it runs late. */
interface ByClock {
  _cron?: { ts: string }
}

/**
 * A job, every morning (UTC): pays out by itself what creators wish to be paid on this day, and what is left of
 * those who have deleted their account.
 */
export async function payOutOnSchedule(given: ByClock, services: Services): Promise<void> {
  const { db } = services
  const due = given._cron ? new Date(given._cron.ts) : new Date()
  const isMonday = due.getUTCDay() === 1
  const isFirst = due.getUTCDate() === 1
  const { rows } = await db.execute<{ ledgerAccountId: string }>(sql`
    select m.ledger_account_id as "ledgerAccountId"
      from payout_methods m join ledger_accounts a on a.id = m.ledger_account_id
     where a.user_id is null
        or (m.schedule = 'weekly' and ${isMonday}) or (m.schedule = 'monthly' and ${isFirst})
    union
    select d.account_id
      from ledger_accounts a join earning_days d on d.account_id = a.id
     where a.kind = 'creator' and a.user_id is null
     group by 1
    having sum(gross - platform_fee - provider_fee - refunded - disputed - dispute_fee
               - paid_out - payout_fee - given_up) <> 0`)
  // On the first of a month these may be thousands, each of which asks the provider.
  await enqueueEach(db, 'payOutAvailable', rows, laterThanOthers)
  await followArrived(services)
}

/** A job: all that is available to one creator, if it can be paid out at all. */
export async function payOutAvailable(
  { ledgerAccountId }: { ledgerAccountId: string },
  services: Services,
): Promise<void> {
  const offersPaypal = services.paypal !== null
  await services.db.transaction(async (transaction) => {
    await requestPayout(transaction, {
      ledgerAccountId,
      amount: 'all',
      offersPaypal,
      isAutomatic: true,
    })
    await settleDeparted(transaction, ledgerAccountId)
  })
}
