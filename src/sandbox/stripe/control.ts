// What Stripe does not have: the levers of the sandbox itself, for tests and for its own page.
import { Hono } from 'hono'
import type Stripe from 'stripe'
import * as z from 'zod'
import { advanceCustomer } from './clocks.ts'
import { releaseCharge } from './balance-transactions.ts'
import { arrivePayout, failPayout, failureCodes } from './connect/payouts.ts'
import { accountStates, requireAccount, setState } from './connect/requirements.ts'
import { waitingDeliveries } from './deliveries.ts'
import { closeDispute, openDispute } from './disputes.ts'
import { checkKey } from './protocol.ts'
import { missing, wrong } from './refusal.ts'
import { presented, wallSeconds, type Store } from './store.ts'
import { setSwitches } from './switches.ts'

const switches = z.strictObject({
  delayMs: z.int().min(0).max(3_600_000).optional(),
  dropPercent: z.number().min(0).max(100).optional(),
  repeat: z.int().min(0).max(20).optional(),
  shuffle: z.boolean().optional(),
  webhookStatus: z.int().min(0).max(599).optional(),
  apiDelayMs: z.int().min(0).max(120_000).optional(),
  apiStatus: z.union([z.literal(0), z.int().min(400).max(599)]).optional(),
  draftSeconds: z.int().min(0).max(86_400).optional(),
})
const advance = z.strictObject({ seconds: z.int().min(0) })
const verdict = z.strictObject({ won: z.boolean() })
const failure = z.strictObject({ code: z.enum(failureCodes).optional() })
const account = z.strictObject({ state: z.enum(accountStates) })

async function read<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const given = schema.safeParse(await request.json().catch(() => null))
  if (!given.success) throw wrong(z.prettifyError(given.error))
  return given.data
}

/** Its bodies are JSON; its key is that of the API. */
export function createControl({ store, secretKey }: { store: Store; secretKey: string }) {
  const app = new Hono()
  app.use('/_sandbox/*', async (context, next) => {
    checkKey(context.req.header('authorization'), secretKey)
    await next()
  })
  app.post('/_sandbox/switches', async (context) =>
    context.json(await setSwitches(store, await read(context.req.raw, switches))),
  )
  app.get('/_sandbox/idle', async (context) => context.json(await waitingDeliveries(store)))
  app.post('/_sandbox/customers/:id/advance', async (context) => {
    const { seconds } = await read(context.req.raw, advance)
    const id = context.req.param('id')
    return context.json(await store.work((unit) => advanceCustomer(unit, id, seconds)))
  })
  app.post('/_sandbox/charges/:id/release', async (context) => {
    const id = context.req.param('id')
    const charge = await store.work(async (unit) => {
      const found = await unit.require<Stripe.Charge>(id)
      await releaseCharge(unit, found.id)
      return found
    })
    return context.json(presented(charge))
  })
  app.post('/_sandbox/charges/:id/dispute', async (context) => {
    const id = context.req.param('id')
    const dispute = await store.work(async (unit) => {
      const charge = await unit.require<Stripe.Charge>(id)
      return openDispute(unit, charge, await unit.now(charge.customer as string | null))
    })
    return context.json(dispute)
  })
  app.post('/_sandbox/disputes/:id/close', async (context) => {
    const { won } = await read(context.req.raw, verdict)
    const id = context.req.param('id')
    return context.json(
      await store.work(async (unit) =>
        closeDispute(unit, await unit.require<Stripe.Dispute>(id), won),
      ),
    )
  })
  app.post('/_sandbox/payouts/:id/arrive', async (context) => {
    const id = context.req.param('id')
    const payout = await store.work(async (unit) => {
      const found = await unit.get<Stripe.Payout>(id)
      if (found?.object !== 'payout') throw missing('payout', id)
      await arrivePayout(unit, found)
      return found
    })
    return context.json(presented(payout))
  })
  app.post('/_sandbox/payouts/:id/fail', async (context) => {
    const { code } = await read(context.req.raw, failure)
    const id = context.req.param('id')
    const payout = await store.work(async (unit) => {
      const found = await unit.get<Stripe.Payout>(id)
      if (found?.object !== 'payout') throw missing('payout', id)
      await failPayout(unit, found, code)
      return found
    })
    return context.json(presented(payout))
  })
  app.post('/_sandbox/accounts/:id/state', async (context) => {
    const { state } = await read(context.req.raw, account)
    const id = context.req.param('id')
    const found = await store.work(async (unit) => {
      const one = await requireAccount(unit, id)
      setState(unit, one, state, wallSeconds())
      return one
    })
    return context.json(presented(found))
  })
  return app
}
