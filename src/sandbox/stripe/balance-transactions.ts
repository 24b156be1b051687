import type Stripe from 'stripe'
import { wallSeconds, type Unit } from './store.ts'

/** With whose payment it is about, which the API does not show: its money comes and goes with that one's. */
interface Moved extends Stripe.BalanceTransaction {
  _charge: string | null
  _customer: string | null
}

interface Movement {
  account?: string
  /** Of a payment, whose money may not be available yet. */
  of?: { charge: string; customer: string | null; availableOn: number }
  amount: number
  fee?: number
  currency: string
  source: string
  type: Stripe.BalanceTransaction.Type
  category: string
  description?: string | null
  created: number
}

/** Money that moved in a balance: of the platform, or of a connected account. */
export function moveBalance(unit: Unit, movement: Movement): Stripe.BalanceTransaction {
  const { amount, fee = 0, currency, created, of } = movement
  const transaction: Moved = {
    id: unit.newId('txn_'),
    object: 'balance_transaction',
    amount,
    available_on: of?.availableOn ?? created,
    balance_type: 'payments',
    created,
    currency,
    description: movement.description ?? null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description:
                movement.type === 'adjustment' ? 'Dispute fee' : 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: movement.category,
    source: movement.source,
    status: of ? 'pending' : 'available',
    type: movement.type,
    _charge: of?.charge ?? null,
    _customer: of?.customer ?? null,
  }
  unit.put(transaction, { account: movement.account ?? null })
  return transaction
}

/** Seconds until the money of a payment can be used. */
const settling = 2 * 24 * 60 * 60

/** Terms of the payment itself. */
export const settlesLater = (charge: string, customer: string | null, created: number) => ({
  charge,
  customer,
  availableOn: created + settling,
})

/** Terms of what is taken back of a payment: money that is not available yet is what goes first. */
export async function settlesWith(unit: Unit, charge: Stripe.Charge) {
  const settled = await unit.get<Moved>(String(charge.balance_transaction))
  if (settled?.status !== 'pending') return undefined
  const { available_on: availableOn, _customer: customer } = settled
  return { charge: charge.id, customer, availableOn }
}

/** Minor units by currency: what can be used, and what cannot yet. */
export async function balancesOf(unit: Unit, account: string | null) {
  const rows = await unit.query<{ currency: string; available: string; pending: string }>(
    `select currency, sum(case when is_available then net else 0 end) as available,
       sum(case when is_available then 0 else net end) as pending
     from (select data->>'currency' as currency, (data->>'net')::bigint as net,
         data->>'status' = 'available' or (data->>'available_on')::bigint <= $2 as is_available
       from stripe_sandbox.objects
       where object = 'balance_transaction' and account is not distinct from $1) as movements
     group by 1 order by 1`,
    [account, wallSeconds()],
  )
  return rows.map(({ currency, available, pending }) => ({
    currency,
    available: Number(available),
    pending: Number(pending),
  }))
}

export async function availableOf(unit: Unit, account: string | null, currency: string) {
  const balances = await balancesOf(unit, account)
  return balances.find((balance) => balance.currency === currency)?.available ?? 0
}

/**
 * The money of a payment can be used from now on. That is told when it is sooner than was said: the clock of a
 * customer goes ahead of the wall's, which everybody else goes by.
 */
export async function releaseCharge(unit: Unit, chargeId: string) {
  // Whoever has a part of it: the platform, and an account that it was passed on to at once.
  const rows = await unit.query<{ id: string }>(
    `select id from stripe_sandbox.objects where object = 'balance_transaction'
       and links @> array[$1] and data->>'status' = 'pending'`,
    [`_charge:${chargeId}`],
  )
  const wall = wallSeconds()
  let isSooner = false
  for (const { id } of rows) {
    const moved = await unit.get<Moved>(id)
    if (moved?.status !== 'pending') continue
    if (moved.available_on > wall) {
      moved.available_on = wall
      isSooner = true
    }
    moved.status = 'available'
    unit.put(moved)
  }
  const charge = isSooner ? await unit.get<Stripe.Charge>(chargeId) : null
  if (charge) unit.emit('charge.updated', charge)
}

/** Payments whose money cannot be used yet. */
export async function pendingCharges(unit: Unit): Promise<Set<string>> {
  const rows = await unit.query<{ charge: string }>(
    `select data->>'_charge' as charge from stripe_sandbox.objects
     where object = 'balance_transaction' and data->>'status' = 'pending'
       and (data->>'available_on')::bigint > $1 order by seq desc limit 200`,
    [wallSeconds()],
  )
  return new Set(rows.map(({ charge }) => charge))
}
