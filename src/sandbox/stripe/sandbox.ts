// The Stripe sandbox: what Thunder's payments talk to when no key of Stripe is configured.
import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Pool } from 'pg'
import type { Log } from '../../server/log.ts'
import { runDue } from './clocks.ts'
import { createControl } from './control.ts'
import { startDeliveries } from './deliveries.ts'
import { createPages } from './pages.ts'
import { createProtocol } from './protocol.ts'
import { routes } from './routes.ts'
import { openStore, type Store } from './store.ts'

export interface StripeSandbox {
  /** Where Stripe's SDK finds its API. */
  host: string
  port: number
  secretKey: string
  /** For browsers, which get a token for numbers with it at /sandbox/stripe/v1/tokens. */
  publishableKey: string
  /** Signs the webhooks. */
  webhookSecret: string
  /** Answers everything below /sandbox/stripe: the hosted pages. */
  pages(request: Request): Promise<Response>
  /** From now on webhooks are sent to this address; those that waited, too. */
  deliverTo(url: string): void
  stop(): Promise<void>
}

interface SandboxOptions {
  /** Its tables are in a schema of their own. */
  pool: Pool
  /** Of Thunder's data; its keys are derived from it. */
  secret: string
  /** Where browsers reach the pages. */
  appUrl: string
  log: Log
}

/** Milliseconds between two looks at what is due by the wall's clock. */
const lookEvery = 20_000

/** The same on every node and after every start. */
const derived = (secret: string, what: string) =>
  createHmac('sha256', secret).update(`stripe sandbox: ${what}`).digest('hex').slice(0, 40)

/** Events and answers are kept for as long as Stripe keeps them; tokens, for a day. */
async function prune(store: Store) {
  await store.query(
    `delete from stripe_sandbox.idempotency where created_at < now() - interval '1 day'`,
  )
  await store.query(
    `delete from stripe_sandbox.objects where object = 'event'
       and created < extract(epoch from now())::bigint - 30 * 86400`,
  )
  await store.query(
    `delete from stripe_sandbox.objects where object = 'token'
       and created < extract(epoch from now())::bigint - 86400`,
  )
  await store.query(
    `delete from stripe_sandbox.deliveries d where not exists
       (select 1 from stripe_sandbox.objects o where o.id = d.event_id)`,
  )
}

function startClock(store: Store, log: Log) {
  let timer: NodeJS.Timeout
  let isStopping = false
  let looks = 0
  let looking: Promise<unknown> = Promise.resolve()
  const look = async () => {
    await runDue(store, log)
    if (looks++ % 180 === 0) await prune(store)
  }
  const plan = () => {
    if (isStopping) return
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.warn({ err: error }, 'the clock of the sandbox stumbled'))
        .then(plan)
    }, lookEvery)
    timer.unref()
  }
  plan()
  return async () => {
    isStopping = true
    clearTimeout(timer)
    await looking
  }
}

export async function startStripeSandbox(options: SandboxOptions): Promise<StripeSandbox> {
  const { secret, log } = options
  const secretKey = `sk_test_sandbox${derived(secret, 'key')}`
  const publishableKey = `pk_test_sandbox${derived(secret, 'publishable key')}`
  const webhookSecret = `whsec_${derived(secret, 'webhooks')}`
  const store = await openStore(options)
  const api = createProtocol({ store, routes, secretKey, log })
  api.route('/', createControl({ store, secretKey }))
  const server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  const deliveries = startDeliveries({ store, webhookSecret, log })
  const stopClock = startClock(store, log)
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    secretKey,
    publishableKey,
    webhookSecret,
    pages: createPages({ store, appUrl: options.appUrl, publishableKey }),
    deliverTo(url) {
      deliveries
        .deliverTo(url)
        .catch((error: unknown) => log.warn({ err: error }, 'the webhooks of the sandbox wait'))
    },
    async stop() {
      await stopClock()
      await deliveries.stop()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.stop()
    },
  }
}
