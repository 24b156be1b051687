// What administrators read about the payment provider.
import type { Pool } from 'pg'
import type { paymentEvents } from './tables.ts'

type EventRow = typeof paymentEvents.$inferSelect

const perPage = 50

const columns = `
  id, type, object_id as "objectId", customer_id as "customerId", occurred_at as "occurredAt",
  received_at as "receivedAt", applied_at as "appliedAt", source, deliveries, status, outcome, attempts`

/** One page, newest first. The search is an id, whole: of an event, or of what it is about. */
export async function eventsOf(
  pool: Pool,
  { status, search, cursor }: { status?: EventRow['status']; search: string; cursor?: string },
) {
  const values: unknown[] = []
  const take = (value: unknown) => `$${values.push(value)}`
  const conditions = ['true']
  if (status) conditions.push(`status = ${take(status)}`)
  if (search) {
    const id = take(search)
    conditions.push(`(id = ${id} or object_id = ${id} or customer_id = ${id})`)
  }
  if (cursor) {
    const end = cursor.indexOf('_')
    // Microseconds, as PostgreSQL keeps them: a Date would lose three digits.
    conditions.push(`(received_at, id)
      < (timestamptz 'epoch' + ${take(cursor.slice(0, end))}::bigint * interval '1 microsecond', ${take(cursor.slice(end + 1))})`)
  }
  const { rows } = await pool.query<EventRow & { place: string }>(
    `select ${columns}, (extract(epoch from received_at) * 1000000)::bigint::text as place
       from payment_events where ${conditions.join(' and ')}
      order by received_at desc nulls last, id desc nulls last limit ${perPage + 1}`,
    values,
  )
  const events = rows.slice(0, perPage)
  const last = rows.length > perPage ? events.at(-1) : undefined
  return { events, nextCursor: last ? `${last.place}_${last.id}` : null }
}

interface ProviderRow {
  isReachable: boolean
  checkedAt: Date
  comparedUntil: Date | null
  repaired: number
  ledgerDifferences: number | null
}

/** What we know of the provider, and what the last check of the ledger found. */
export async function providerState(pool: Pool): Promise<ProviderRow> {
  const { rows } = await pool.query<ProviderRow>(
    `select is_reachable as "isReachable", checked_at as "checkedAt",
            compared_until as "comparedUntil", repaired,
            (select sum(k.differences)::int
               from (select distinct on (counter) differences from counter_checks
                      where counter like 'ledger%' order by counter, created_at desc) k
            ) as "ledgerDifferences"
       from payment_provider`,
  )
  return rows[0]!
}
