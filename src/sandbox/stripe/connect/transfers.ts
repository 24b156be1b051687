// Money that goes on from the platform to a connected account, and back.
import type Stripe from 'stripe'
import { availableOf, moveBalance, settlesWith } from '../balance-transactions.ts'
import { pageFields, readParams, type Group } from '../params.ts'
import { missing, wrong } from '../refusal.ts'
import { listOf, pageOf, type Route } from '../route.ts'
import { wallSeconds, type Unit } from '../store.ts'
import { requireDestination } from './requirements.ts'

/** The payment whose own money is passed on. @throws Refusal when it has not so much left */
async function sourceOf(unit: Unit, id: string, amount: number) {
  const charge = await unit.get<Stripe.Charge>(id)
  if (charge?.object !== 'charge' || charge.status !== 'succeeded') {
    throw missing('charge', id, 'source_transaction')
  }
  const before = await unit.find<Stripe.Transfer>('transfer', { source_transaction: id })
  const passedOn = before.reduce((sum, one) => sum + one.amount - one.amount_reversed, 0)
  if (passedOn + amount > charge.amount) {
    const message = `Transfers using this transaction as a source must not exceed the source amount of ${charge.amount}.`
    throw wrong(message, 'amount')
  }
  return charge
}

async function createTransfer(unit: Unit, params: Group) {
  const given = readParams(params, {
    amount: 'integer!',
    currency: 'text!',
    destination: 'text!',
    description: 'text',
    metadata: 'metadata',
    source_transaction: 'text',
    transfer_group: 'text',
  })
  const { amount, currency } = given
  if (amount < 1) throw wrong('Invalid positive integer', 'amount', 'parameter_invalid_integer')
  const destination = await requireDestination(unit, given.destination)
  if (destination.capabilities?.transfers !== 'active') {
    const message =
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments'
    throw wrong(message, undefined, 'insufficient_capabilities_for_transfer')
  }
  const source = given.source_transaction
    ? await sourceOf(unit, given.source_transaction, amount)
    : null
  if (!source && (await availableOf(unit, null, currency)) < amount) {
    const message =
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card.'
    throw wrong(message, undefined, 'balance_insufficient')
  }
  const created = wallSeconds()
  const id = unit.newId('tr_')
  const movement = {
    currency,
    source: id,
    description: given.description,
    created,
    // Of a payment whose money is not there yet it comes when that does.
    of: source ? await settlesWith(unit, source) : undefined,
  }
  const transfer: Stripe.Transfer = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: moveBalance(unit, {
      ...movement,
      amount: -amount,
      type: 'transfer',
      category: 'transfer',
    }).id,
    created,
    currency,
    description: given.description ?? null,
    destination: destination.id,
    livemode: false,
    metadata: given.metadata ?? {},
    reversals: listOf(`/v1/transfers/${id}/reversals`, []),
    reversed: false,
    source_transaction: source?.id ?? null,
    source_type: 'card',
    transfer_group: given.transfer_group ?? null,
  }
  moveBalance(unit, {
    ...movement,
    account: destination.id,
    amount,
    type: 'payment',
    category: 'charge',
  })
  unit.put(transfer)
  unit.emit('transfer.created', transfer)
  return transfer
}

async function requireTransfer(unit: Unit, id: string): Promise<Stripe.Transfer> {
  const transfer = await unit.require<Stripe.Transfer>(id)
  if (transfer.object !== 'transfer') throw missing('transfer', id)
  return transfer
}

/** Takes back what was passed on, as far as it is still there. */
async function reverse(unit: Unit, transfer: Stripe.Transfer, params: Group) {
  const given = readParams(params, {
    amount: 'integer',
    description: 'text',
    metadata: 'metadata',
  })
  const left = transfer.amount - transfer.amount_reversed
  if (left === 0) throw wrong(`Transfer ${transfer.id} is already fully reversed.`)
  const amount = given.amount ?? left
  if (amount < 1) throw wrong('Invalid positive integer', 'amount', 'parameter_invalid_integer')
  if (amount > left) {
    const message = `Transfer reversal amount (${amount}) is greater than unreversed amount on transfer (${left})`
    throw wrong(message, 'amount')
  }
  const account = String(transfer.destination)
  const { currency } = transfer
  if ((await availableOf(unit, account, currency)) < amount) {
    const message =
      'Insufficient funds in the connected account: the transfer cannot be reversed before its balance covers the amount.'
    throw wrong(message, 'amount', 'balance_insufficient')
  }
  const created = wallSeconds()
  const id = unit.newId('trr_')
  const movement = { currency, source: id, description: given.description, created }
  const reversal: Stripe.TransferReversal = {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: moveBalance(unit, {
      ...movement,
      amount,
      type: 'transfer_refund',
      category: 'transfer_reversal',
    }).id,
    created,
    currency,
    destination_payment_refund: null,
    metadata: given.metadata ?? {},
    source_refund: null,
    transfer: transfer.id,
  }
  moveBalance(unit, {
    ...movement,
    account,
    amount: -amount,
    type: 'payment_refund',
    category: 'refund',
  })
  unit.put(reversal)
  transfer.amount_reversed += amount
  transfer.reversed = transfer.amount_reversed === transfer.amount
  transfer.reversals.data.unshift(reversal)
  unit.put(transfer)
  unit.emit('transfer.reversed', transfer)
  return reversal
}

export const transferRoutes: Route[] = [
  ['POST', '/v1/transfers', ({ unit, params }) => createTransfer(unit, params)],
  [
    'GET',
    '/v1/transfers',
    async (call) => {
      const { destination, transfer_group } = readParams(call.params, {
        ...pageFields,
        destination: 'text',
        transfer_group: 'text',
      })
      return pageOf(call, '/v1/transfers', 'transfer', { destination, transfer_group })
    },
  ],
  ['GET', '/v1/transfers/:id', ({ unit, id }) => requireTransfer(unit, id)],
  [
    'POST',
    '/v1/transfers/:id/reversals',
    async ({ unit, id, params }) => reverse(unit, await requireTransfer(unit, id), params),
  ],
  [
    'GET',
    '/v1/transfers/:id/reversals',
    async (call) => {
      readParams(call.params, pageFields)
      const { id } = await requireTransfer(call.unit, call.id)
      return pageOf(call, `/v1/transfers/${id}/reversals`, 'transfer_reversal', { transfer: id })
    },
  ],
  [
    'GET',
    '/v1/transfers/:id/reversals/:part',
    async ({ unit, id, part }) => {
      const reversal = await unit.require<Stripe.TransferReversal>(part)
      if (reversal.transfer !== id) throw missing('transfer reversal', part)
      return reversal
    },
  ],
]
