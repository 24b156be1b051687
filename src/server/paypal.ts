// PayPal, which pays out to those who want that: with real keys, or as our sandbox. Its protocol is its REST API.
import * as z from 'zod'
import type { PayPalSandbox } from '../sandbox/paypal/sandbox.ts'
import type { Config } from './config.ts'
import {
  addressRefused,
  itemStatuses,
  receiverReason,
  stateOf,
  type PayPalState,
} from './paypal-reasons.ts'

export interface PayPal {
  mode: 'sandbox' | 'test' | 'live'
  sandbox: PayPalSandbox | null
  /**
   * Sends money, once for each `payoutId` however often it is asked within PayPal's memory of 30 days.
   * Amounts are minor units.
   * @throws {PayPalRefusal} when this person cannot be paid there, in words for people: no money was sent.
   * @throws {PayPalHindrance} when PayPal will not do it for us, until the operator has done something.
   * @throws {Error} when it cannot be reached or said nothing that makes sense: ask again.
   */
  sendPayout(payout: {
    payoutId: string
    email: string
    amount: number
    currency: string
    note: string
  }): Promise<{ batchId: string }>
  /**
   * How it is now; `pending` also while nobody has claimed it. With what PayPal kept of its own, in minor units of US
   * dollars, when it has arrived and PayPal says so.
   * @throws {Error} as sendPayout, but for a refusal.
   */
  payoutState(batchId: string): Promise<PayPalState & { fee?: number }>
  /**
   * Takes back what nobody has claimed; what has been claimed, or is back already, stays as it is.
   * @throws {Error} as payoutState.
   */
  takeBack(batchId: string): Promise<void>
}

/** It lies with who is to be paid. */
export class PayPalRefusal extends Error {
  override name = 'PayPalRefusal'
  readonly isOurs = false
}

/** It lies with us: too little money there, keys that are wrong. For the operator; not for creators. */
export class PayPalHindrance extends Error {
  override name = 'PayPalHindrance'
  readonly isOurs = true
  /** It was about the amount of a payout, of which PayPal then took nothing. Of any other it may have sent it before. */
  readonly refusesAmount: boolean

  constructor(message: string, { refusesAmount = false } = {}) {
    super(message)
    this.refusesAmount = refusesAmount
  }
}

/** A token is not used in its last minute: it might end on the way. */
const margin = 60_000

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number() })

const created = z.object({ batch_header: z.object({ payout_batch_id: z.string().min(1) }) })

const batch = z.object({
  batch_header: z.object({
    sender_batch_header: z.object({ sender_batch_id: z.string().optional() }),
    batch_status: z.enum(['NEW', 'PENDING', 'PROCESSING', 'SUCCESS', 'DENIED', 'CANCELED']),
  }),
  items: z
    .array(
      z.object({
        payout_item_id: z.string().optional(),
        transaction_status: z.enum(itemStatuses).default('PENDING'),
        payout_item_fee: z
          .object({ currency: z.literal('USD'), value: z.string().regex(/^\d{1,9}(\.\d{1,2})?$/) })
          .optional()
          .catch(undefined),
        errors: z.object({ name: z.string() }).optional().catch(undefined),
      }),
    )
    .default([]),
})

const endedMeanwhile = new Set([
  'ITEM_ALREADY_CANCELLED',
  'ITEM_INCORRECT_STATUS',
  'TRANSACTION_ALREADY_CANCELLED',
])

const links = z
  .array(z.object({ href: z.string() }))
  .optional()
  .catch([])
const problem = z.object({
  name: z.string().optional().catch(undefined),
  /** The token endpoint's form. */
  error: z.string().optional().catch(undefined),
  details: z
    .array(z.object({ field: z.string().optional().catch(undefined), link: links, links }))
    .optional()
    .catch([]),
  links,
})
type Problem = z.output<typeof problem>

interface Answer {
  status: number
  body: unknown
}

/** '12.50' */
const written = (minorUnits: number) => (minorUnits / 100).toFixed(2)

/** The batch that an error leads to. */
function linkedBatch({ details = [], links: own = [] }: Problem): string | null {
  const all = [
    ...details.flatMap((detail) => [...(detail.link ?? []), ...(detail.links ?? [])]),
    ...own,
  ]
  for (const { href } of all) {
    const id = /\/v1\/payments\/payouts\/([\w-]+)/.exec(href)?.[1]
    if (id) return id
  }
  return null
}

/** What an answer says that is neither success nor a known batch. Never quotes what was sent. */
function errorOf(what: string, { status }: Answer, { name, error, details }: Problem): Error {
  const said = name ?? error
  const text = `PayPal answered ${status}${said ? ` ${said.slice(0, 80)}` : ''} to ${what}.`
  const isPassing =
    status < 400 || status === 408 || status === 409 || status === 429 || status >= 500
  if (isPassing) return new Error(text)
  if (status === 400 || status === 422) {
    const reason = receiverReason(name)
    if (reason) return new PayPalRefusal(reason)
    const isAbout = (place: RegExp) =>
      name === 'VALIDATION_ERROR' && details?.some(({ field }) => field && place.test(field))
    if (isAbout(/receiver$/i)) return new PayPalRefusal(addressRefused)
    if (isAbout(/\bamount\b/i)) return new PayPalHindrance(text, { refusesAmount: true })
  }
  // Money must not go back into a balance because of something that we do not understand.
  return new PayPalHindrance(text)
}

export function connectPayPal(options: {
  /** Without a slash at the end. */
  api: string
  clientId: string
  clientSecret: string
  /** Milliseconds for one answer. */
  patience?: number
}): Pick<PayPal, 'sendPayout' | 'payoutState' | 'takeBack'> {
  const { api, clientId, clientSecret, patience = 10_000 } = options
  let token: { value: Promise<string>; until: number } | null = null

  async function call(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(api + path, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    const text = await response.text()
    let body: unknown = null
    try {
      body = JSON.parse(text)
    } catch {
      // Whatever it is, it is no answer of the API: the status alone counts.
    }
    return { status: response.status, body }
  }

  const problemOf = ({ body }: Answer) => problem.safeParse(body).data ?? {}

  async function fetchToken(): Promise<{ access_token: string; expires_in: number }> {
    const answer = await call('/v1/oauth2/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    if (answer.status !== 200) throw errorOf('our keys', answer, problemOf(answer))
    return tokenAnswer.parse(answer.body)
  }

  /** One at a time for all who wait for it. */
  function currentToken(): Promise<string> {
    if (token && Date.now() < token.until) return token.value
    const asked = { value: Promise.resolve(''), until: Number.POSITIVE_INFINITY }
    asked.value = fetchToken().then(
      ({ access_token: value, expires_in: seconds }) => {
        asked.until = Date.now() + seconds * 1000 - margin
        return value
      },
      (error: unknown) => {
        if (token === asked) token = null
        throw error
      },
    )
    token = asked
    return asked.value
  }

  async function ask(path: string, init: RequestInit & { headers: Record<string, string> }) {
    const attempt = async () => {
      const value = await currentToken()
      const answer = await call(path, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${value}` },
      })
      return { answer, value }
    }
    const { answer, value } = await attempt()
    if (answer.status !== 401) return answer
    // It ended before its time. Whoever asked meanwhile may have a new one already.
    const current = token
    if (current && (await current.value.catch(() => value)) === value && token === current) {
      token = null
    }
    return (await attempt()).answer
  }

  async function fetchBatch(batchId: string) {
    const answer = await ask(`/v1/payments/payouts/${encodeURIComponent(batchId)}`, { headers: {} })
    if (answer.status !== 200) {
      const error = errorOf('the question about a payout', answer, problemOf(answer))
      // That was about our question, not about who is paid, nor what.
      const isOfQuestion = error instanceof PayPalRefusal || error instanceof PayPalHindrance
      throw isOfQuestion ? new PayPalHindrance(error.message) : error
    }
    const { batch_header: header, items } = batch.parse(answer.body)
    return {
      status: header.batch_status,
      item: items[0],
      sender: header.sender_batch_header.sender_batch_id,
    }
  }

  return {
    async sendPayout({ payoutId, email, amount, currency, note }) {
      const answer = await ask('/v1/payments/payouts', {
        method: 'POST',
        // No PayPal-Request-Id: it would bring a refusal back for 30 days. What makes this happen once is in
        // the body.
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          sender_batch_header: {
            sender_batch_id: payoutId,
            email_subject: 'You have a payout',
            email_message: note,
          },
          items: [
            {
              recipient_type: 'EMAIL',
              receiver: email,
              amount: { value: written(amount), currency: currency.toUpperCase() },
              note,
              sender_item_id: payoutId,
            },
          ],
        }),
      })
      if (answer.status === 200 || answer.status === 201) {
        return { batchId: created.parse(answer.body).batch_header.payout_batch_id }
      }
      const said = problemOf(answer)
      // It was sent before, and the answer was lost.
      const before = answer.status >= 400 && answer.status < 500 ? linkedBatch(said) : null
      if (before && (await fetchBatch(before)).sender === payoutId) return { batchId: before }
      throw errorOf('a payout', answer, said)
    },

    async payoutState(batchId) {
      const { status, item } = await fetchBatch(batchId)
      const name = item?.errors?.name
      if (status === 'DENIED' || status === 'CANCELED') return stateOf(status, name)
      const state = stateOf(item?.transaction_status ?? 'PENDING', name)
      const fee = item?.payout_item_fee
      return state.status === 'paid' && fee
        ? { ...state, fee: Math.round(Number(fee.value) * 100) }
        : state
    },

    async takeBack(batchId) {
      const { item } = await fetchBatch(batchId)
      if (item?.transaction_status !== 'UNCLAIMED' || !item.payout_item_id) return
      const path = `/v1/payments/payouts-item/${encodeURIComponent(item.payout_item_id)}/cancel`
      const answer = await ask(path, { method: 'POST', headers: {} })
      if (answer.status === 200) return
      const said = problemOf(answer)
      // Somebody was faster: how it stands is asked after this.
      if (said.name && endedMeanwhile.has(said.name)) return
      throw errorOf('taking a payout back', answer, said)
    },
  }
}

/** @returns null where PayPal is not offered: real payments with no keys of PayPal. */
export async function openPayPal(
  config: Pick<Config, 'stripe' | 'paypal'>,
  startSandbox: () => Promise<PayPalSandbox>,
): Promise<PayPal | null> {
  const { secretKey } = config.stripe
  if (!secretKey) {
    const sandbox = await startSandbox()
    return { mode: 'sandbox', sandbox, ...connectPayPal(sandbox) }
  }
  if (!config.paypal) return null
  const isLive = secretKey.includes('_live_')
  const api = isLive ? 'https://api-m.paypal.com' : 'https://api-m.sandbox.paypal.com'
  return {
    mode: isLive ? 'live' : 'test',
    sandbox: null,
    ...connectPayPal({ api, ...config.paypal }),
  }
}
