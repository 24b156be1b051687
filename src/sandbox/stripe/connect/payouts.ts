// Money on its way to a bank or a debit card.
import type Stripe from 'stripe'
import { availableOf, balancesOf, moveBalance } from '../balance-transactions.ts'
import { pageFields, readParams, type Group } from '../params.ts'
import { missing, wrong } from '../refusal.ts'
import { pageOf, type Route } from '../route.ts'
import { wallSeconds, type Unit } from '../store.ts'
import { externalOf } from './external-accounts.ts'
import { externalsOf, requireAccount, settleAccount } from './requirements.ts'
import { fateOf } from './tokens.ts'

/** With what the API does not show. */
interface Payout extends Stripe.Payout {
  _account: string | null
  /** Why it will come back; null when it arrives. */
  _fate: string | null
}

/** Seconds that a bank takes, and that a card takes at once. */
const onItsWay = { standard: 2 * 24 * 60 * 60, instant: 30 * 60 }

const whyFailed: Record<string, string> = {
  account_closed: 'The bank account has been closed.',
  could_not_process: 'The bank could not process this payout.',
  invalid_currency: 'The bank was unable to process this payout because of its currency.',
  no_account:
    'The bank account details on file are probably incorrect. No bank account could be found.',
}

export const failureCodes = Object.keys(whyFailed)

function move(unit: Unit, payout: Payout, amount: number, type: Stripe.BalanceTransaction.Type) {
  return moveBalance(unit, {
    account: payout._account ?? undefined,
    amount,
    currency: payout.currency,
    source: payout.id,
    type,
    category: 'payout',
    description: payout.description,
    created: wallSeconds(),
  }).id
}

function announce(unit: Unit, payout: Payout, type: string) {
  unit.put(payout, { account: payout._account })
  unit.emit(type, payout, { account: payout._account })
}

function leave(unit: Unit, payout: Payout) {
  payout.status = 'in_transit'
  announce(unit, payout, 'payout.updated')
}

/** Payouts to a destination that does not work are no longer made. */
async function giveUpDestination(unit: Unit, payout: Payout) {
  if (!payout._account) return
  const account = await requireAccount(unit, payout._account)
  const destination = externalsOf(account).find(({ id }) => id === payout.destination)
  if (!destination) return
  destination.status = 'errored'
  unit.emit('account.external_account.updated', destination, { account: account.id })
  settleAccount(unit, account)
}

/** The bank sends the money back, which it may do after it had taken it, too. */
export async function failPayout(unit: Unit, given: Stripe.Payout, code = 'no_account') {
  const payout = given as Payout
  if (payout.status === 'failed' || payout.status === 'canceled') {
    throw wrong(`Payout ${payout.id} is ${payout.status} already.`)
  }
  if (payout.status === 'pending') leave(unit, payout)
  payout.status = 'failed'
  payout.failure_code = code
  payout.failure_message = whyFailed[code] ?? null
  payout.failure_balance_transaction = move(unit, payout, payout.amount, 'payout_failure')
  announce(unit, payout, 'payout.failed')
  if (code !== 'could_not_process') await giveUpDestination(unit, payout)
}

/** The bank has it: paid, or sent back. */
export async function arrivePayout(unit: Unit, given: Stripe.Payout) {
  const payout = given as Payout
  if (payout.status !== 'pending' && payout.status !== 'in_transit') return
  if (payout._fate) {
    await failPayout(unit, payout, payout._fate)
    return
  }
  if (payout.status === 'pending') leave(unit, payout)
  payout.status = 'paid'
  announce(unit, payout, 'payout.paid')
}

/** Its time has come to go to the bank, or to be there. */
export async function payoutDue(unit: Unit, given: Stripe.Payout) {
  const payout = given as Payout
  if (payout.status === 'pending') leave(unit, payout)
  else await arrivePayout(unit, payout)
}

async function requirePayout(unit: Unit, id: string): Promise<Payout> {
  const payout = await unit.require<Payout>(id)
  if (payout.object !== 'payout') throw missing('payout', id)
  return payout
}

/** Where the payout goes. @throws Refusal when it cannot */
async function destinationOf(unit: Unit, owner: string, named: string | undefined) {
  const account = await requireAccount(unit, owner)
  if (!account.payouts_enabled) {
    const message =
      'Cannot create payouts: this account has payouts disabled. Look at its requirements.'
    throw wrong(message, undefined, 'payouts_not_allowed')
  }
  const usual = externalsOf(account).find((one) => one.default_for_currency)
  const destination = named ? externalOf(account, named, 'destination') : usual
  if (!destination) {
    throw wrong('This account has no external account.', 'destination', 'no_account')
  }
  if (destination.status === 'errored') {
    const message =
      'The bank account provided cannot be used for payouts. A different bank account must be used.'
    throw wrong(message, 'destination', 'bank_account_unusable')
  }
  return destination
}

async function createPayout(unit: Unit, params: Group) {
  const given = readParams(params, {
    amount: 'integer!',
    currency: 'text!',
    description: 'text',
    destination: 'text',
    metadata: 'metadata',
    method: 'text',
    source_type: 'text',
    statement_descriptor: 'text',
  })
  const owner = unit.account
  const { amount, currency, method = 'standard' } = given
  if (amount < 1) throw wrong('Invalid positive integer', 'amount', 'parameter_invalid_integer')
  if (method !== 'standard' && method !== 'instant') {
    throw wrong('Invalid method: must be one of instant or standard', 'method')
  }
  const destination = owner ? await destinationOf(unit, owner, given.destination) : null
  if (method === 'instant' && destination?.object !== 'card') {
    const message = 'Instant payouts to this bank account are not supported.'
    throw wrong(message, 'method', 'instant_payouts_unsupported')
  }
  if ((await availableOf(unit, owner, currency)) < amount) {
    const message = 'You have insufficient funds in your Stripe account for this transfer.'
    throw wrong(message, 'amount', 'balance_insufficient')
  }
  const created = wallSeconds()
  const payout: Payout = {
    id: unit.newId('po_'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: created + onItsWay[method],
    automatic: false,
    balance_transaction: null,
    created,
    currency,
    description: given.description ?? null,
    destination: destination?.id ?? null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: given.metadata ?? {},
    method,
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: given.statement_descriptor ?? null,
    status: 'pending',
    trace_id: null,
    type: destination?.object === 'card' ? 'card' : 'bank_account',
    _account: owner,
    _fate: destination?.object === 'bank_account' ? fateOf(destination.last4) : null,
  }
  payout.balance_transaction = move(unit, payout, -amount, 'payout')
  announce(unit, payout, 'payout.created')
  return payout
}

export const payoutRoutes: Route[] = [
  [
    'GET',
    '/v1/balance',
    async ({ unit, params }) => {
      readParams(params, {})
      const found = await balancesOf(unit, unit.account)
      const balances = found.length > 0 ? found : [{ currency: 'usd', available: 0, pending: 0 }]
      const shown = (part: 'available' | 'pending') =>
        balances.map(({ currency, [part]: amount }) => ({
          amount,
          currency,
          source_types: { card: amount },
        }))
      return {
        object: 'balance' as const,
        available: shown('available'),
        livemode: false,
        pending: shown('pending'),
      }
    },
  ],
  ['POST', '/v1/payouts', ({ unit, params }) => createPayout(unit, params)],
  [
    'GET',
    '/v1/payouts',
    async (call) => {
      const { status, destination } = readParams(call.params, {
        ...pageFields,
        status: 'text',
        destination: 'text',
      })
      return pageOf(call, '/v1/payouts', 'payout', { status, destination })
    },
  ],
  ['GET', '/v1/payouts/:id', ({ unit, id }) => requirePayout(unit, id)],
  [
    'POST',
    '/v1/payouts/:id/cancel',
    async ({ unit, id }) => {
      const payout = await requirePayout(unit, id)
      if (payout.status !== 'pending') {
        throw wrong(`Payouts that are ${payout.status} cannot be canceled.`)
      }
      payout.status = 'canceled'
      move(unit, payout, payout.amount, 'payout_cancel')
      announce(unit, payout, 'payout.canceled')
      return payout
    },
  ],
  [
    'GET',
    '/v1/application_fees',
    async (call) => {
      const { charge } = readParams(call.params, { ...pageFields, charge: 'text' })
      return pageOf(call, '/v1/application_fees', 'application_fee', { charge })
    },
  ],
]
