// The Stripe sandbox without the app, and Stripe's SDK that talks to it.
import { randomUUID } from 'node:crypto'
import { Client, Pool } from 'pg'
import Stripe from 'stripe'
import { inject } from 'vitest'
import { startStripeSandbox, type StripeSandbox } from '../src/sandbox/stripe/sandbox.ts'
import { createLog } from '../src/server/log.ts'

export function sdkOf(sandbox: StripeSandbox, key = sandbox.secretKey) {
  const { host, port } = sandbox
  return new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

/** `nodes` of it on one empty database. */
export async function startStandaloneSandbox(nodes = 1) {
  const url = new URL(inject('templateUrl'))
  const name = `sandbox_${randomUUID().replaceAll('-', '')}`
  url.pathname = '/postgres'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  url.pathname = `/${name}`
  const pool = new Pool({ connectionString: url.href })
  const options = { pool, secret: 's', appUrl: 'http://localhost:3000', log: createLog('silent') }
  const [sandbox, ...others] = await Promise.all(
    Array.from({ length: nodes }, () => startStripeSandbox(options)),
  )
  if (!sandbox) throw new Error('at least one node')
  return {
    sandbox,
    others,
    stripe: sdkOf(sandbox),
    pool,
    /** Its own levers. */
    async control<T>(path: string, body?: object): Promise<T> {
      const response = await fetch(`http://${sandbox.host}:${sandbox.port}/_sandbox${path}`, {
        method: body ? 'POST' : 'GET',
        body: body && JSON.stringify(body),
        headers: { authorization: `Bearer ${sandbox.secretKey}` },
      })
      const answer = await response.json()
      if (!response.ok) throw new Error(JSON.stringify(answer))
      return answer as T
    },
    async stop() {
      for (const node of [sandbox, ...others]) await node.stop()
      await pool.end()
    },
  }
}
