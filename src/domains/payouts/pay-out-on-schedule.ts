import { eq, sql } from 'drizzle-orm'
import { enqueue, enqueueEach, laterThanOthers } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import { followArrived } from './follow-payouts.ts'
import { holdAccount } from './hold-account.ts'
import { payOutKey, settleDeparted } from './leave-earnings.ts'
import { requestPayout } from './request-payout.ts'
import { payoutMethods } from './tables.ts'

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
  await enqueueEach(db, 'payOutAvailable', rows, laterThanOthers, ({ ledgerAccountId }) =>
    payOutKey(ledgerAccountId),
  )
  await followArrived(services)
}

const day = 24 * 60 * 60 * 1000

/** In the log, at which an operator is told to look. */
const unheard = 'a creator who has left cannot be paid out: nobody else is told of it'

/**
 * A job: all that is available to one creator, if it can be paid out at all. What is in the way of the schedule for a
 * while only, such as a payout that has not arrived yet, is waited for: the job comes again the next day.
 */
export async function payOutAvailable(
  { ledgerAccountId }: { ledgerAccountId: string },
  { db, paypal, log }: Services,
): Promise<void> {
  const inTheWay = await db.transaction(async (transaction) => {
    const { userId } = await holdAccount(transaction, ledgerAccountId)
    const [method] = await transaction
      .select({ schedule: payoutMethods.schedule })
      .from(payoutMethods)
      .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
    // Who wished for it has thought better of it meanwhile.
    if (userId && method?.schedule === 'manual') return null
    const answer = await requestPayout(transaction, {
      ledgerAccountId,
      amount: 'all',
      offersPaypal: paypal !== null,
      isAutomatic: true,
    })
    if (userId && 'refused' in answer && answer.isPassing) {
      const tomorrow = new Date(Date.now() + day)
      const key = payOutKey(ledgerAccountId)
      const again = { ledgerAccountId }
      await enqueue(transaction, 'payOutAvailable', again, key, tomorrow, laterThanOthers)
    }
    const isKept = await settleDeparted(transaction, ledgerAccountId)
    const isStuck = isKept && 'refused' in answer && answer.refused === 'NOT_READY'
    return isStuck && !answer.isPassing ? (answer.message ?? '') : null
  })
  if (inTheWay !== null) log.error({ ledgerAccountId, problem: inTheWay }, unheard)
}
