// Taking money from a card, for whoever asks: a payment page, an invoice, the page of 3-D Secure.
import type Stripe from 'stripe'
import { moveBalance, settlesLater } from './balance-transactions.ts'
import { openDispute } from './disputes.ts'
import { lastingLink } from './lasting-links.ts'
import type { Unit } from './store.ts'
import { askCard, type Refusal } from './test-cards.ts'

export interface CardCharge {
  customer: string | null
  /** Minor units. */
  amount: number
  currency: string
  /** 'pm_…' */
  paymentMethod: string
  description: string | null
  metadata: Stripe.Metadata
  invoice?: string
  /** Nobody is there who could confirm it. */
  offSession: boolean
  /** One that failed before is tried again, maybe with another card. */
  paymentIntent?: string | null
}

export type CardOutcome =
  | { outcome: 'succeeded'; paymentIntent: Stripe.PaymentIntent; charge: Stripe.Charge }
  | {
      outcome: 'declined'
      code: string
      declineCode: string | null
      message: string
      paymentIntent: Stripe.PaymentIntent
    }
  | { outcome: 'requires_action'; paymentIntent: Stripe.PaymentIntent }

const notConfirmed: Refusal = {
  code: 'payment_intent_authentication_failure',
  declineCode: null,
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

/** What the provider keeps of a payment by card. */
const providerFee = (amount: number) => Math.round(amount * 0.029) + 30

function newIntent(unit: Unit, given: CardCharge, created: number): Stripe.PaymentIntent {
  const id = unit.newId('pi_')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: given.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: unit.newId(`${id}_secret_`),
    confirmation_method: 'automatic',
    created,
    currency: given.currency,
    customer: given.customer,
    customer_account: null,
    description: given.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: given.invoice ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  }
}

function newCharge(
  unit: Unit,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { isConfirmed, refusal, created }: { isConfirmed: boolean; refusal?: Refusal; created: number },
): Stripe.Charge {
  const { card } = method
  if (!card) throw new Error(`${method.id} is no card`)
  const id = unit.newId('ch_')
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: refusal ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'THUNDER',
    captured: !refusal,
    created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: refusal?.code ?? null,
    failure_message: refusal?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: refusal ? 'try_again_later' : null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: refusal ? 'declined_by_network' : 'approved_by_network',
      reason: refusal?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: refusal
        ? 'The bank did not return any further details with this decline.'
        : 'Payment complete.',
      type: refusal ? 'issuer_declined' : 'authorized',
    },
    paid: !refusal,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: {
        amount_authorized: refusal ? null : intent.amount,
        authorization_code: null,
        brand: card.brand,
        checks: card.checks,
        country: card.country,
        electronic_commerce_indicator: isConfirmed ? '05' : null,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        fingerprint: card.fingerprint ?? null,
        funding: card.funding,
        installments: null,
        last4: card.last4,
        mandate: null,
        network: card.brand,
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
      type: 'card',
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: refusal ? null : lastingLink(unit, `/receipts/${id}`, created),
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: refusal ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

async function refuse(
  unit: Unit,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  refusal: Refusal,
): Promise<CardOutcome> {
  const { code, declineCode, message } = refusal
  let charge: Stripe.Charge | undefined
  // Without its owner's confirmation the bank is not even asked.
  if (refusal !== notConfirmed) {
    const created = await unit.now(intent.customer as string | null)
    charge = newCharge(unit, intent, method, { isConfirmed: false, refusal, created })
    unit.put(charge)
    unit.emit('charge.failed', charge)
    intent.latest_charge = charge.id
  }
  intent.status = 'requires_payment_method'
  intent.next_action = null
  intent.payment_method = null
  intent.last_payment_error = {
    code,
    ...(charge ? { charge: charge.id } : {}),
    ...(declineCode ? { decline_code: declineCode } : {}),
    message,
    payment_method: method,
    type: 'card_error',
  }
  unit.put(intent)
  unit.emit('payment_intent.payment_failed', intent)
  return { outcome: 'declined', code, declineCode, message, paymentIntent: intent }
}

async function take(
  unit: Unit,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { isConfirmed, isDisputed }: { isConfirmed: boolean; isDisputed: boolean },
): Promise<CardOutcome> {
  const created = await unit.now(intent.customer as string | null)
  const charge = newCharge(unit, intent, method, { isConfirmed, created })
  charge.balance_transaction = moveBalance(unit, {
    amount: charge.amount,
    fee: providerFee(charge.amount),
    currency: charge.currency,
    source: charge.id,
    type: 'charge',
    category: 'charge',
    description: charge.description,
    created,
    of: settlesLater(charge.id, charge.customer as string | null, created),
  }).id
  unit.put(charge)
  intent.status = 'succeeded'
  intent.amount_received = intent.amount
  intent.latest_charge = charge.id
  intent.next_action = null
  intent.last_payment_error = null
  unit.put(intent)
  unit.emit('charge.succeeded', charge)
  unit.emit('payment_intent.succeeded', intent)
  if (isDisputed) await openDispute(unit, charge, created)
  return { outcome: 'succeeded', paymentIntent: intent, charge }
}

export async function chargeCard(unit: Unit, given: CardCharge): Promise<CardOutcome> {
  const created = await unit.now(given.customer)
  const method = await unit.require<Stripe.PaymentMethod>(given.paymentMethod, 'payment_method')
  let intent = given.paymentIntent
    ? await unit.require<Stripe.PaymentIntent>(given.paymentIntent, 'payment_intent')
    : null
  if (!intent) {
    intent = newIntent(unit, given, created)
    unit.put(intent)
    unit.emit('payment_intent.created', intent)
  }
  intent.payment_method = method.id
  const occasion = given.offSession ? 'off session' : 'payment'
  const verdict = askCard(method.card?.last4 ?? '', occasion)
  if (typeof verdict === 'object') return refuse(unit, intent, method, verdict)
  if (verdict === '3-D Secure') {
    intent.status = 'requires_action'
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { url: unit.address(`/c/3ds/${intent.id}`), return_url: null },
    }
    unit.put(intent)
    unit.emit('payment_intent.requires_action', intent)
    return { outcome: 'requires_action', paymentIntent: intent }
  }
  return take(unit, intent, method, { isConfirmed: false, isDisputed: verdict === 'dispute' })
}

/** The owner of the card confirmed the payment, or did not. */
export async function answerThreeDSecure(
  unit: Unit,
  intent: Stripe.PaymentIntent,
  isConfirmed: boolean,
): Promise<CardOutcome> {
  const methodId = intent.payment_method
  const method = await unit.require<Stripe.PaymentMethod>(String(methodId), 'payment_method')
  return isConfirmed
    ? take(unit, intent, method, { isConfirmed: true, isDisputed: false })
    : refuse(unit, intent, method, notConfirmed)
}
