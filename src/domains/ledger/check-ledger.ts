import { sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { noteCounterChecks } from '../courses/note-counter-checks.ts'

/** What must be so, each as a query for the ids of what is not. */
const checks = {
  /** A transaction's entries add up to zero, in every currency. */
  ledger_transactions: sql`
    select t.id::text from ledger_transactions t
      join ledger_entries e on e.transaction_id = t.id
     group by t.id, e.currency having sum(e.amount) <> 0`,

  /** A payment has its transaction, and that says the payment's amounts. */
  ledger_payments: sql`
    select p.charge_id as id from payments p
      left join ledger_transactions t on t.source = 'payment ' || p.charge_id and t.payment_id = p.id
     where t.id is null or ${moved('gross')} <> p.gross
        or ${moved('platform_fee')} <> p.platform_fee or ${moved('provider_fee')} <> p.provider_fee
        or exists (select from ledger_entries e join ledger_accounts a on a.id = e.account_id
                    where e.transaction_id = t.id and a.kind = 'creator'
                      and a.id is distinct from p.creator_account_id)`,

  /** So has a refund; one that failed has both or none. */
  ledger_refunds: sql`
    select r.id from payment_refunds r
      left join ledger_transactions t on t.source = 'refund ' || r.id and t.payment_id = r.payment_id
      left join ledger_transactions f on f.source = 'refund failed ' || r.id
     where (r.status <> 'failed' and (t.id is null or f.id is not null))
        or (r.status = 'failed' and (t.id is null) <> (f.id is null))
        or (t.id is not null and (${moved('refund')} <> r.amount
            or ${moved('platform_fee')} - ${moved('platform_fee', 'f')} <> r.platform_fee))`,

  ledger_disputes: sql`
    select d.id from payment_disputes d
      left join ledger_transactions t on t.source = 'dispute ' || d.id and t.payment_id = d.payment_id
      left join ledger_transactions w on w.source = 'dispute won ' || d.id
     where t.id is null or (w.id is not null) <> (d.status = 'won')
        or ${moved('dispute')} <> d.amount or ${moved('dispute_fee')} <> d.fee
        or ${moved('platform_fee')} - ${moved('platform_fee', 'w')} <> d.platform_fee`,
  /** Of our fee the creator has back the share of the payment that was taken back. */
  ledger_returned_fees: sql`
    select p.charge_id as id from payments p, lateral (
      select coalesce(sum(b.amount) filter (where b.stands), 0) as taken,
             coalesce(sum(b.platform_fee), 0) as returned
        from (select r.amount, r.platform_fee, r.status <> 'failed' as stands
                from payment_refunds r where r.payment_id = p.id
              union all
              select d.amount, d.platform_fee, d.status <> 'won'
                from payment_disputes d where d.payment_id = p.id) as b) as back
     where back.returned <> round(p.platform_fee * least(p.gross, back.taken) / nullif(p.gross, 0)::numeric)`,

  /** What stands beside a payment is what its refunds say, and never more than was paid. */
  ledger_refunded: sql`
    select p.charge_id as id from payments p
     where p.refunded > p.gross
        or p.refunded <> (select coalesce(sum(r.amount), 0) from payment_refunds r
                           where r.payment_id = p.id and r.status <> 'failed')`,

  /** Nothing is in the ledger of which no payment knows. */
  ledger_sources: sql`
    select t.source as id from ledger_transactions t
     where t.kind <> 'given_up'
       and not exists (select from payments p where p.id = t.payment_id)
       and not exists (select from payouts o where o.id = t.payout_id)`,

  /** A payout has its transaction, less what PayPal did not keep; one that failed the same again, the other way round. */
  ledger_payouts: sql`
    select o.id::text from payouts o
      left join ledger_transactions t on t.source = 'payout ' || o.id and t.payout_id = o.id
      left join ledger_transactions f on f.source = 'payout failed ' || o.id and f.payout_id = o.id
      left join ledger_transactions c on c.source = 'payout fee ' || o.id and c.payout_id = o.id
     where t.id is null or (f.id is not null) <> (o.status = 'failed')
        or ${moved('payout')} <> o.amount - o.fee
        or ${moved('payout_fee')} - ${moved('payout_fee', 'c')} <> o.fee
        or (f.id is not null and (${moved('payout', 'f')} <> o.amount - o.fee
                                  or ${moved('payout_fee', 'f')} <> o.fee))
        or exists (select from ledger_entries e join ledger_accounts a on a.id = e.account_id
                    where e.transaction_id in (t.id, f.id, c.id) and a.kind = 'creator'
                      and a.id <> o.ledger_account_id)`,

  /** What creators read of their earnings is the sum of their entries. */
  ledger_earning_days: sql`
    select coalesce(k.account_id, s.account_id)::text || ' ' || coalesce(k.day, s.day) as id
      from (select account_id, day, currency, sum(sales) as sales, sum(gross) as gross,
                   sum(platform_fee) as platform_fee, sum(provider_fee) as provider_fee,
                   sum(refunded) as refunded, sum(disputed) as disputed,
                   sum(dispute_fee) as dispute_fee, sum(paid_out) as paid_out,
                   sum(payout_fee) as payout_fee, sum(given_up) as given_up
              from earning_days group by 1, 2, 3) k
      full join (select account_id, day, currency, count(*) filter (where what = 'gross') as sales,
                        ${ofKind('gross')} * -1 as gross,
                        ${ofKind('platform_fee')} as platform_fee,
                        ${ofKind('provider_fee')} as provider_fee,
                        ${ofKind('refund')} as refunded, ${ofKind('dispute')} as disputed,
                        ${ofKind('dispute_fee')} as dispute_fee, ${ofKind('payout')} as paid_out,
                        ${ofKind('payout_fee')} as payout_fee, ${ofKind('given_up')} as given_up
                   from creator_entry_days group by 1, 2, 3) s
        on (s.account_id, s.day, s.currency) = (k.account_id, k.day, k.currency)
     where row(k.sales, k.gross, k.platform_fee, k.provider_fee, k.refunded, k.disputed,
               k.dispute_fee, k.paid_out, k.payout_fee, k.given_up)
        is distinct from row(s.sales, s.gross, s.platform_fee, s.provider_fee, s.refunded, s.disputed,
                             s.dispute_fee, s.paid_out, s.payout_fee, s.given_up)`,

  /**
   * No money is left with who has gone, unless it can still be sent; a job sees to it within a day. A debt may stay for
   * as long as a bank decides about a sale.
   */
  ledger_departed: sql`
    select a.id::text from ledger_accounts a
      join ledger_entries e on e.account_id = a.id
      join ledger_transactions t on t.id = e.transaction_id
     where a.kind = 'creator' and a.user_id is null
       and not exists (select from payout_methods m
                         left join connected_accounts c on c.ledger_account_id = m.ledger_account_id
                        where m.ledger_account_id = a.id and m.problem is null
                          and (m.method = 'paypal'
                               or c.payouts_enabled and coalesce(c.disabled_reason, '') not like 'rejected%'))
     group by a.id having sum(e.amount) < 0 and max(t.created_at) < now() - interval '2 days'`,
}

/** What was moved from one account to another by a transaction, in minor units. */
function moved(what: string, by: 't' | 'f' | 'w' | 'c' = 't') {
  return sql`(select coalesce(sum(e.amount) filter (where e.amount > 0), 0) from ledger_entries e
               where e.transaction_id = ${sql.raw(by)}.id and e.what = ${what})`
}

/** The sum of the entries of one kind. */
function ofKind(what: string) {
  return sql`coalesce(sum(amount) filter (where what = ${what}), 0)`
}

/** By check the ids of what is wrong: a fault of ours. */
export async function ledgerDifferences(db: Db): Promise<Record<keyof typeof checks, string[]>> {
  // One moment for all: what is written meanwhile must not look like a difference.
  const isolation = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const
  const found = await db.transaction(async (transaction) => {
    const all: [string, string[]][] = []
    for (const [name, check] of Object.entries(checks)) {
      const { rows } = await transaction.execute<{ id: string }>(check)
      all.push([name, rows.map(({ id }) => id)])
    }
    return all
  }, isolation)
  return Object.fromEntries(found) as Record<keyof typeof checks, string[]>
}

/** In the log, at which an operator is told to look. */
const said = 'the ledger does not add up'

/** A job: looks through the whole ledger. What is wrong is not mended but noted, for people to look at. */
export async function checkLedger(services: Services): Promise<void> {
  const differences = await ledgerDifferences(services.db)
  await noteCounterChecks(services, differences, said)
  const wrong = Object.values(differences).flat()
  if (wrong.length === 0) return
  services.log.error({ differences: wrong.length }, said)
}
