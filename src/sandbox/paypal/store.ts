// The PayPal sandbox's state in PostgreSQL. Several nodes share it.
import { Pool, type PoolClient } from 'pg'
import type { Log } from '../../server/log.ts'

export interface Store {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  transaction<T>(does: (client: Pick<PoolClient, 'query'>) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const schema = `
  create schema if not exists paypal_sandbox;
  create table if not exists paypal_sandbox.batches (
    id text primary key, seq bigserial, sender_batch_id text, header jsonb not null,
    is_denied boolean not null default false, created_at timestamptz not null default now());
  create index if not exists batches_by_sender on paypal_sandbox.batches (sender_batch_id);
  create table if not exists paypal_sandbox.items (
    id text primary key, batch_id text not null references paypal_sandbox.batches, place int not null,
    sent jsonb not null, status text not null default 'PENDING', problem text, looks int not null default 0,
    processed_at timestamptz);
  create index if not exists items_of_batch on paypal_sandbox.items (batch_id, place);
  create table if not exists paypal_sandbox.switches (is_only boolean primary key default true, data jsonb not null)`

export async function openStore(options: { pool: Pool; log: Log }): Promise<Store> {
  // Of its own: the app's connections may all wait for an answer of the sandbox.
  const pool = new Pool({ ...options.pool.options, max: 2 })
  const lost = (error: Error) =>
    options.log.warn({ error: error.message }, 'a connection of the PayPal sandbox was lost')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  // Several nodes may start at once. Sent together it is one transaction, also at a pooler.
  await pool.query(`select pg_advisory_xact_lock(727277); ${schema}`)
  return {
    async query<Row extends object>(text: string, values: unknown[] = []) {
      const { rows } = await pool.query<Row>(text, values)
      return rows
    },
    async transaction(does) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await does(client)
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch((cause: Error) => {
          broken = cause
        })
        throw error
      } finally {
        client.release(broken)
      }
    },
    stop: () => pool.end(),
  }
}
