import { and, eq, isNull, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { GivenUp } from '../../server/jobs.ts'
import { PayPalHindrance, PayPalRefusal } from '../../server/paypal.ts'
import type { Services } from '../../server/services.ts'
import { switchedOff } from '../administration/switched-off.ts'
import { dateOf } from '../payments/outcome.ts'
import { amountLabel } from '../purchases/amount-label.ts'
import { failPayout } from './fail-payout.ts'
import { type PayoutFailure, refusalFrom } from './payout-refusal.ts'
import { destinationOf } from './ready-method.ts'
import { largestPaypalPayment } from './rules.ts'
import { markSent, payoutById } from './settle-payout.ts'
import { syncConnectedAccount } from './sync-connected-account.ts'
import { payoutMethods, payouts } from './tables.ts'

type Payout = typeof payouts.$inferSelect

/** In the log, at which an operator is told to look: usually there is too little money. */
const waits = 'a payout waits until the operator has mended this at the payment provider'

/**
 * A job: moves the money at the provider. Each step is found again by who comes after a crash, and two at once
 * send one payout. What the provider refuses is in the balance again; while we have too little there, or paying out is
 * switched off, it waits.
 */
export async function sendPayout(
  { payoutId }: { payoutId: string },
  services: Services,
): Promise<void> {
  const payout = await payoutById(services.db, payoutId)
  if (payout?.status !== 'requested') return
  if (await switchedOff(services.db, 'payouts')) return wait(services, payoutId)
  const send = payout.method === 'paypal' ? sendByPaypal : sendByBank
  let refusal: PayoutFailure | 'wait'
  try {
    await send(services, payout)
    return
  } catch (error) {
    const found = refusalOf(error)
    if (!found) throw error
    const said = { payoutId, problem: (error as Error).message }
    if (found === 'wait') services.log.error(said, waits)
    else if (error instanceof NotInTheBooks) services.log.error(said, notInTheBooks)
    else services.log.warn(said, 'a payout was refused')
    refusal = found
  }
  if (refusal === 'wait') return wait(services, payoutId)
  const now = (await payoutById(services.db, payoutId))!
  if (now.status === 'requested') await failPayout(services, now, refusal)
  // It may be about the account: then the creator learns what the provider wants.
  // Stryker disable next-line ConditionalExpression: without an account there is none to ask about
  if (payout.connectedAccountId) await syncConnectedAccount(services, payout.connectedAccountId)
}

/**
 * Asked for before there was a limit. PayPal was asked all the same: it may have sent it before. Only when it refuses
 * the amount it has not; else the money would be in the balance and at PayPal.
 */
class TooLargeForPaypal extends Error {}

/** In the log, at which an operator is told to look. */
const notInTheBooks = 'a payout was not sent: a creator was sent money that is not in the books'

/** The books are older than what they are about, as after a restore: what is asked for now may be the same money. */
class NotInTheBooks extends Error {}

function refusalOf(error: unknown): PayoutFailure | 'wait' | null {
  if (error instanceof TooLargeForPaypal) return { failure: error.message, isDestination: false }
  if (error instanceof NotInTheBooks) return unclearBalance
  if (error instanceof PayPalHindrance) return 'wait'
  if (error instanceof PayPalRefusal) return { failure: error.message, isDestination: true }
  return refusalFrom(error)
}

/** `followPayouts` asks for it again in an hour. The moment makes the provider look anew: see `keyOf`. */
async function wait({ db }: Services, payoutId: string): Promise<void> {
  await db
    .update(payouts)
    .set({ checkedAt: sql`now()` })
    .where(and(eq(payouts.id, payoutId), eq(payouts.status, 'requested')))
}

/**
 * The provider answers a key as it did the first time, refusals too: after one, which did nothing, there is
 * another key.
 */
const keyOf = ({ id, checkedAt }: Payout, step: string) => `${id} ${step} ${checkedAt.getTime()}`

async function sendByBank(services: Services, payout: Payout): Promise<void> {
  const { stripe } = services.payments
  const stripeAccount = payout.connectedAccountId
  if (!stripeAccount) throw new GivenUp(`payout ${payout.id} has no account to go through`)
  await transferOf(services, payout, stripeAccount)
  const method = await methodOf(services, payout)
  const sent =
    (await sentBefore(stripe, payout, stripeAccount)) ??
    (await stripe.payouts.create(paramsOf(payout, method), {
      stripeAccount,
      idempotencyKey: keyOf(payout, 'payout'),
    }))
  await markSent(services.db, payout, {
    providerPayoutId: sent.id,
    arrivesAt: dateOf(sent.arrival_date),
    ...(sent.destination === method.externalAccountId && {
      to: { method: method.method, destination: destinationOf(method) },
    }),
  })
}

/** From us to the creator's account there. */
async function transferOf(services: Services, payout: Payout, destination: string) {
  // Stryker disable next-line ConditionalExpression: the provider would say the same; the money moves once by either
  if (payout.transferId) return
  const { id, amount, fee, currency } = payout
  const { db, payments } = services
  const { transfers } = payments.stripe
  // The provider forgets keys after a day; a payout may wait longer.
  const made = (await transfers.list({ transfer_group: id, limit: 1 })).data[0]
  if (!made) await requireInTheBooks(services, payout, destination)
  const transfer =
    made ??
    (await transfers.create(
      {
        amount: amount - fee,
        currency,
        destination,
        transfer_group: id,
        metadata: { payoutId: id },
      },
      { idempotencyKey: keyOf(payout, 'transfer') },
    ))
  await db
    .update(payouts)
    .set({ transferId: transfer.id })
    .where(and(eq(payouts.id, id), isNull(payouts.transferId)))
}

const unclearBalance: PayoutFailure = {
  failure:
    'We have sent you money before that is missing in our books, and your balance may be wrong. We are looking into it.',
  isDestination: false,
  next: 'Until the books are right, what you ask for is not sent.',
}

/** @throws {NotInTheBooks} when one of the last hundred transfers to this account is of no payout here */
async function requireInTheBooks(
  { db, payments }: Services,
  { ledgerAccountId }: Payout,
  destination: string,
): Promise<void> {
  const { data } = await payments.stripe.transfers.list({ destination, limit: 100 })
  const own = await db
    .select({ id: payouts.id })
    .from(payouts)
    .where(eq(payouts.ledgerAccountId, ledgerAccountId))
  const ids = new Set<string | undefined>(own.map(({ id }) => id))
  const unknown = data.find(
    ({ reversed, metadata: { payoutId } }) => !reversed && payoutId && !ids.has(payoutId),
  )
  if (unknown) throw new NotInTheBooks(`${unknown.id} is of no payout that is known here`)
}

/** One that was sent, but of which we did not hear. */
async function sentBefore(stripe: Stripe, { id }: Payout, stripeAccount: string) {
  const { data } = await stripe.payouts.list({}, { stripeAccount })
  return data.find(({ metadata }) => metadata?.payoutId === id)
}

type Method = typeof payoutMethods.$inferSelect

/** While a payout is open nobody can change it here, but another account may be given on the provider's own pages. */
async function methodOf({ db }: Services, { ledgerAccountId }: Payout): Promise<Method> {
  const [method] = await db
    .select()
    .from(payoutMethods)
    .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
  return method!
}

const paramsOf = (
  { id, amount, fee, currency }: Payout,
  { externalAccountId }: Method,
): Stripe.PayoutCreateParams => ({
  amount: amount - fee,
  currency,
  destination: externalAccountId ?? undefined,
  metadata: { payoutId: id },
})

const tooLargeForPaypal = `PayPal sends ${amountLabel(largestPaypalPayment, 'usd')} at most at once: ask for it in parts.`

async function sendByPaypal({ db, paypal, config }: Services, payout: Payout): Promise<void> {
  if (!paypal) throw new PayPalHindrance('PayPal is not configured any more')
  const { id, destination, amount, fee, currency } = payout
  const { batchId } = await paypal
    .sendPayout({
      payoutId: id,
      email: destination,
      amount: amount - fee,
      currency,
      note: `Your earnings at ${config.appUrl}`,
    })
    .catch((error: unknown) => {
      const isRefused = error instanceof PayPalHindrance && error.refusesAmount
      throw isRefused && amount - fee > largestPaypalPayment
        ? new TooLargeForPaypal(tooLargeForPaypal)
        : error
    })
  await markSent(db, payout, { providerPayoutId: batchId, arrivesAt: null })
}
