// Which sales a payout reaches: the oldest first, so that what is left in the balance belongs to the newest.
import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { netOfSale, takenBack } from '../earnings/net-of-sale.ts'

/**
 * The newest released sale of which nothing is left when `left` stays in the balance. Read from the newest
 * backwards, as far as `left` goes: usually nothing is left, and one sale is read.
 */
const lastCovered = (ledgerAccountId: string, left: number): SQL => sql`
  select s.available_at, s.id
    from (select p.available_at, p.id,
                 sum(greatest(${netOfSale}, 0))
                   over (order by p.available_at desc, p.id desc
                          rows between unbounded preceding and 1 preceding) as newer
            from payments p ${takenBack}
           where p.creator_account_id = ${ledgerAccountId} and p.available_at <= now()) s
   where coalesce(s.newer, 0) >= ${left}
   order by s.available_at desc, s.id desc
   limit 1`

/** As far as the payout before came, at least. For who holds the ledger account. */
export async function coverSales(
  transaction: Transaction,
  payout: { id: string; ledgerAccountId: string },
  left: number,
): Promise<void> {
  await transaction.execute(sql`
    update payouts o
       set covers_until = c.covers_until, covers_payment_id = c.covers_payment_id
      from (select) one left join
           (select available_at as covers_until, id as covers_payment_id
              from ((${lastCovered(payout.ledgerAccountId, left)})
                    union all
                    (select b.covers_until, b.covers_payment_id from payouts b, payouts me
                      where me.id = ${payout.id} and b.ledger_account_id = me.ledger_account_id
                        and b.status <> 'failed' and b.covers_until is not null
                        and (b.requested_at, b.id) < (me.requested_at, me.id)
                      order by b.requested_at desc, b.id desc limit 1)) as both_places
             order by available_at desc, id desc limit 1) c on true
     where o.id = ${payout.id}`)
}

/**
 * After money of a payout came back: the newest one since reaches less far, because it is in the balance again. False
 * when there is none since.
 */
export async function coverAgain(
  transaction: Transaction,
  payout: { id: string; ledgerAccountId: string },
  left: number,
): Promise<boolean> {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    select n.id from payouts n, payouts f
     where f.id = ${payout.id} and n.ledger_account_id = f.ledger_account_id
       and n.status <> 'failed' and (n.requested_at, n.id) > (f.requested_at, f.id)
     order by n.requested_at desc, n.id desc limit 1`)
  const [newest] = rows
  if (newest) await coverSales(transaction, { ...payout, id: newest.id }, left)
  return newest !== undefined
}
