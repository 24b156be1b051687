// The PayPal sandbox: what pays out through PayPal when payments are made in the Stripe sandbox.
import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Pool } from 'pg'
import type { Log } from '../../server/log.ts'
import { createControl } from './control.ts'
import { createDashboard } from './dashboard.ts'
import { createProtocol } from './protocol.ts'
import { openStore } from './store.ts'

export interface PayPalSandbox {
  /** Where its API is, on this machine. */
  api: string
  clientId: string
  clientSecret: string
  /** Answers everything below /sandbox/paypal: the operator's page. */
  pages(request: Request): Promise<Response>
  stop(): Promise<void>
}

/** The same on every node and after every start. */
const derived = (secret: string, what: string) =>
  createHmac('sha256', secret).update(`paypal sandbox: ${what}`).digest('hex').slice(0, 40)

export async function startPayPalSandbox(options: {
  /** Its tables are in a schema of their own. */
  pool: Pool
  /** Of Thunder's data; its keys are derived from it. */
  secret: string
  /** Where browsers reach the pages. */
  appUrl: string
  log: Log
}): Promise<PayPalSandbox> {
  const { secret, log } = options
  const clientId = `sandbox_${derived(secret, 'id')}`
  const clientSecret = derived(secret, 'key')
  const store = await openStore(options)
  const api = createProtocol({ store, keys: { clientId, clientSecret }, secret, log })
  api.route('/', createControl({ store, clientSecret }))
  const server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  return {
    api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    clientSecret,
    pages: createDashboard({ store, appUrl: options.appUrl }),
    async stop() {
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.stop()
    },
  }
}
