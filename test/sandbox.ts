// What people and banks do at the payment provider, done to the sandbox as a browser or an operator would.
import type Stripe from 'stripe'
import type { AccountState } from '../src/sandbox/stripe/connect/requirements.ts'
import type { TestApp } from './app.ts'

interface Answered {
  status: number
  /** Where the browser is sent on to. */
  location: string | null
  /** What the page says in its place: why the card was refused. */
  message: string | null
  html: string
}

/** Addresses of the pages carry the app's public address; a test's server is elsewhere. */
function hereOf(app: TestApp, url: string) {
  const { pathname, search } = new URL(url, app.url)
  return app.url + pathname + search
}

async function post(app: TestApp, url: string, form: Record<string, string>): Promise<Answered> {
  const response = await fetch(hereOf(app, url), {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  const html = await response.text()
  const alert = /role="alert">([^<]*)</.exec(html)?.[1]
  return {
    status: response.status,
    location: response.headers.get('location'),
    message: alert?.replaceAll('&#39;', "'").trim() ?? null,
    html,
  }
}

/** Fills in a payment page and presses "Pay". */
export const payHere = (
  app: TestApp,
  url: string,
  card: {
    number?: string
    email?: string
    expiry?: string
    cvc?: string
    name?: string
  } = {},
) =>
  post(app, url, {
    email: 'payer@example.com',
    number: '4242 4242 4242 4242',
    expiry: '12/34',
    cvc: '123',
    name: 'Pat Payer',
    ...Object.fromEntries(Object.entries(card).filter(([, value]) => value !== undefined)),
  })

/** Answers the bank's question; `url` is the location that `payHere` was sent to. */
export const passThreeDSecure = (app: TestApp, url: string, isConfirmed = true) =>
  post(app, url, { answer: isConfirmed ? 'complete' : 'fail' })

/** A process beside the app will do: the sandbox is in the database. */
type Operated = Pick<TestApp, 'services'>

async function control<T>(app: Operated, path: string, body?: unknown): Promise<T> {
  const { sandbox } = app.services.payments
  if (!sandbox) throw new Error('this app has no sandbox')
  const response = await fetch(`http://${sandbox.host}:${sandbox.port}/_sandbox${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      authorization: `Bearer ${sandbox.secretKey}`,
      'content-type': 'application/json',
    },
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Time passes for this customer: renewals, retries and cancellations on the way happen. */
export const advance = (app: Operated, customerId: string, seconds: number) =>
  control(app, `/customers/${customerId}/advance`, { seconds })

/** The next period of this subscription has just begun: its invoice is a draft that will be charged within the hour. */
export async function renewToDraft(app: TestApp, subscriptionId: string) {
  const { stripe } = app.services.payments
  await switches(app, { draftSeconds: 3600 })
  const there = await stripe.subscriptions.retrieve(subscriptionId)
  const customer = String(there.customer)
  const { current_period_end, current_period_start } = there.items.data[0]!
  await advance(app, customer, current_period_end - current_period_start + 60)
  await switches(app, { draftSeconds: 0 })
  return {
    statusThere: async () => (await stripe.subscriptions.retrieve(subscriptionId)).status,
    /** What was paid and what the invoices have become when that hour and a week are over. */
    async charged() {
      await advance(app, customer, 7 * 86_400)
      const { data } = await stripe.invoices.list({ subscription: subscriptionId })
      return data.map(({ status }) => status)
    },
  }
}

/** As an operator does in the provider's dashboard; without `amount` all that is left. */
export const refundAtProvider = (app: TestApp, chargeId: string, amount?: number) =>
  app.services.payments.stripe.refunds.create({ charge: chargeId, amount })

/** The buyer's bank does not take a refund: the money comes back to us. */
export const failRefundAtBank = (app: TestApp, refundId: string) =>
  post(app, '/sandbox/stripe/dashboard/fail-refund', { id: refundId })

export const disputeAtProvider = (app: TestApp, chargeId: string) =>
  control<Stripe.Dispute>(app, `/charges/${chargeId}/dispute`, {})

export const closeDispute = (app: TestApp, disputeId: string, won: boolean) =>
  control<Stripe.Dispute>(app, `/disputes/${disputeId}/close`, { won })

/** The bank has the payout: it is paid, or comes back. */
export const arriveAtBank = (app: Operated, payoutId: string) =>
  control<Stripe.Payout>(app, `/payouts/${payoutId}/arrive`, {})

export const failAtBank = (app: Operated, payoutId: string, code?: string) =>
  control<Stripe.Payout>(app, `/payouts/${payoutId}/fail`, { code })

/** The money of this payment can be paid out from now on. */
export const releaseFunds = (app: Operated, chargeId: string) =>
  control<Stripe.Charge>(app, `/charges/${chargeId}/release`, {})

/** What the provider made of a connected account; 'enabled' also fills in all that nobody told. */
export const setAccount = (app: Operated, accountId: string, state: AccountState) =>
  control<Stripe.Account>(app, `/accounts/${accountId}/state`, { state })

/** Fills in what the provider still asks for; answers with the location that leads back. */
export const finishOnboarding = (app: TestApp, url: string, told: Record<string, string> = {}) =>
  post(app, url, {
    company: 'Pottery Inc',
    firstName: 'Cleo',
    lastName: 'Creator',
    dob: '1990-12-31',
    routing: '110000000',
    number: '000123456789',
    hasDocument: 'on',
    ...told,
  })

interface BankNumbers {
  bank_account: { account_number: string; routing_number: string; [field: string]: string }
}
interface CardNumbers {
  card: { number: string; exp_month?: string; exp_year?: string; cvc?: string; name?: string }
}

/**
 * A token for numbers, as a browser gets it.
 * @throws with the provider's message when it refuses them
 */
export async function tokenize(app: TestApp, given: BankNumbers | CardNumbers): Promise<string> {
  const { tokens } = app.services.payments
  if (!tokens) throw new Error('this app has no tokens')
  const [kind, numbers] =
    'card' in given
      ? ['card', { exp_month: '12', exp_year: '34', cvc: '123', currency: 'usd', ...given.card }]
      : ['bank_account', { country: 'US', currency: 'usd', ...given.bank_account }]
  const response = await fetch(app.url + tokens.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.publishableKey}` },
    body: new URLSearchParams(
      Object.entries(numbers).map(([field, value]) => [`${kind}[${field}]`, value]),
    ),
  })
  const answer = (await response.json()) as { id: string; error?: { message: string } }
  if (answer.error) throw new Error(answer.error.message)
  return answer.id
}

export const switches = (
  app: Operated,
  change: {
    delayMs?: number
    dropPercent?: number
    repeat?: number
    shuffle?: boolean
    webhookStatus?: number
    apiDelayMs?: number
    apiStatus?: number
    draftSeconds?: number
  },
) => control(app, '/switches', change)
