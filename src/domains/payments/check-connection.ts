import Stripe from 'stripe'
import type { Services } from '../../server/services.ts'
import { paymentProvider } from './tables.ts'

/** Milliseconds for which an answer is good: the provider is not asked more often, however many ask us. */
const goodFor = 15_000

/**
 * Answers whether payments can be made now: 204, or 503 (spec 1, section 7). The provider has 10 seconds,
 * as for any other call.
 */
export function createConnectionCheck(services: Services): () => Promise<Response> {
  let last: { at: number; answer: Promise<boolean> } | undefined
  return async () => {
    if (!last || performance.now() - last.at > goodFor) {
      const asked = { at: performance.now(), answer: ask(services) }
      last = asked
      // A fault of ours is no answer: whoever comes next asks anew.
      asked.answer.catch(() => {
        if (last === asked) last = undefined
      })
    }
    const status = (await last.answer) ? 204 : 503
    return new Response(null, { status, headers: { 'cache-control': 'no-store' } })
  }
}

async function ask(services: Services): Promise<boolean> {
  const { payments, log } = services
  const error = await payments.stripe.customers.list({ limit: 1 }).then(
    () => null,
    (problem: unknown) => problem,
  )
  if (error && !(error instanceof Stripe.errors.StripeError)) throw error
  const isReachable = error === null
  if (!isReachable) log.warn({ err: error }, 'the payment provider cannot be reached')
  // A database that is away makes no provider unreachable.
  await note(services, isReachable).catch((problem: unknown) =>
    log.warn({ err: problem }, 'whether the payment provider can be reached was not noted'),
  )
  return isReachable
}

async function note({ db }: Services, isReachable: boolean): Promise<void> {
  const values = { isReachable, checkedAt: new Date() }
  await db
    .insert(paymentProvider)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: paymentProvider.id, set: values })
}
