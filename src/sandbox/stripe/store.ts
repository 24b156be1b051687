// The sandbox's state: Stripe's objects as JSON in PostgreSQL. Several nodes share it.
import { randomBytes } from 'node:crypto'
import { Pool, type PoolClient } from 'pg'
import type { Log } from '../../server/log.ts'
import { dueAt } from './due-at.ts'
import { missing } from './refusal.ts'

export interface Stored {
  id: string
  object: string
  [field: string]: unknown
}

/** What the API's own objects are to the store: Stripe's types have no index signature. */
interface Kept {
  id: string
  object: string
}

interface Page {
  limit: number
  startingAfter?: string
  endingBefore?: string
  created?: { gt?: number; gte?: number; lt?: number; lte?: number }
}

export interface Unit {
  /** The connected account that is asked about (Stripe-Account); null is the platform itself. */
  account: string | null
  /** The time that this happens at, while a clock is moved. */
  at?: number
  get<T extends Kept = Stored>(id: string): Promise<T | null>
  /** @throws Refusal resource_missing */
  require<T extends Kept = Stored>(id: string, param?: string): Promise<T>
  /** Kept when the work ends; changes made to the same object until then are kept too. */
  put(object: Kept, options?: { account?: string | null }): void
  /** Between the steps of long work: what was put so far is written, and later changes need another put. */
  settle(): Promise<void>
  remove(id: string): Promise<void>
  /** Newest first. A field of `filter` is one of Stripe's top-level ones; a list is any of it. */
  find<T extends Kept = Stored>(object: string, filter?: Filter): Promise<T[]>
  page<T extends Kept = Stored>(
    object: string,
    filter: Filter,
    page: Page,
  ): Promise<{ data: T[]; hasMore: boolean }>
  /** Seconds: the time of this customer's clock, or of the wall. */
  now(customerId?: string | null): Promise<number>
  newId(prefix: string): string
  /** Of a hosted page. */
  address(path: string): string
  /** An event with the object as it is now; webhooks of it are sent when the work is kept. */
  emit(type: string, object: Kept, options?: { account?: string | null }): void
  /** Tables of the sandbox other than its objects. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<Row[]>
}

export type Filter = Record<string, string | null | undefined | string[]>

export interface Store {
  /** One transaction; no other work of any node runs meanwhile. */
  work<T>(does: (unit: Unit) => Promise<T>, options?: WorkOptions): Promise<T>
  /** Reads only: waits for nobody. */
  look<T>(does: (unit: Unit) => Promise<T>, options?: WorkOptions): Promise<T>
  /** Outside of any work. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<Row[]>
  /** Called when there is something to deliver. */
  onEvents(listener: () => void): void
  wake(): void
  stop(): Promise<void>
}

interface WorkOptions {
  account?: string | null
}

export const wallSeconds = () => Math.floor(Date.now() / 1000)

/** A copy without what the sandbox keeps in an object for itself: fields that begin with `_`. */
export function presented<T extends object>(object: T): T {
  return JSON.parse(
    JSON.stringify(object, (field, value: unknown) => (field.startsWith('_') ? undefined : value)),
  ) as T
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Unguessable: an address with such an id in it is as good as a key. */
export function newId(prefix: string): string {
  let id = prefix
  while (id.length < prefix.length + 24) {
    for (const byte of randomBytes(32)) {
      const letter = alphabet[byte & 63]
      if (letter && id.length < prefix.length + 24) id += letter
    }
  }
  return id
}

// One statement: several nodes may start at once.
const schema = `
  create schema if not exists stripe_sandbox;
  create table if not exists stripe_sandbox.objects (
    id text primary key, object text not null, account text, seq bigserial,
    created bigint not null, due_at bigint, customer text, links text[] not null, data jsonb not null);
  create index if not exists objects_by_kind on stripe_sandbox.objects (object, seq);
  create index if not exists objects_by_time on stripe_sandbox.objects (object, created);
  create index if not exists objects_by_link on stripe_sandbox.objects using gin (links);
  create index if not exists objects_due on stripe_sandbox.objects (due_at) where due_at is not null;
  create table if not exists stripe_sandbox.deliveries (
    id bigserial primary key, event_id text not null, endpoint text not null, attempts int not null default 0,
    due_at timestamptz not null default now(), is_sending boolean not null default false);
  create index if not exists deliveries_due on stripe_sandbox.deliveries (due_at);
  create table if not exists stripe_sandbox.idempotency (
    key text primary key, request text not null, status int not null, answer text not null,
    created_at timestamptz not null default now());
  create table if not exists stripe_sandbox.clock_leads (customer text primary key, seconds bigint not null);
  create table if not exists stripe_sandbox.switches (is_only boolean primary key default true, data jsonb not null)`

/** Fields that objects are found by through an index. */
const linkFields = new Set([
  '_charge',
  '_customer',
  'account',
  'charge',
  'customer',
  'destination',
  'invoice',
  'payment_intent',
  'payment_method',
  'product',
  'source',
  'subscription',
  'test_clock',
  'transfer',
])

function linksOf(object: Kept): string[] {
  const links: string[] = []
  for (const [field, value] of Object.entries(object)) {
    if (linkFields.has(field) && typeof value === 'string') links.push(`${field}:${value}`)
  }
  const { parent, payment } = object as {
    parent?: { subscription_details?: { subscription?: unknown } | null } | null
    payment?: { payment_intent?: unknown } | null
  }
  const subscription = parent?.subscription_details?.subscription
  if (typeof subscription === 'string') links.push(`subscription:${subscription}`)
  const intent = payment?.payment_intent
  if (typeof intent === 'string') links.push(`payment_intent:${intent}`)
  return links
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

interface Row {
  id: string
  account: string | null
  data: Kept
}

function openUnit(
  client: Pick<PoolClient, 'query'>,
  { account = null }: WorkOptions,
  appUrl: string,
) {
  const loaded = new Map<string, { object: Kept; account: string | null; before: string | null }>()
  /** What was put, with the JSON that the database has of it. */
  const kept = new Map<string, string | null>()
  const newEvents: string[] = []

  const keep = (row: Row) => {
    const known = loaded.get(row.id)
    if (known) return known.object
    loaded.set(row.id, {
      object: row.data,
      account: row.account,
      before: JSON.stringify(row.data),
    })
    return row.data
  }

  /** Top-level fields that differ from what the work began with, as they were. */
  const previous = (object: Kept) => {
    const before = loaded.get(object.id)?.before
    if (!before) return undefined
    const now: Record<string, unknown> = { ...presented(object) }
    const entries = Object.entries(presented(JSON.parse(before) as Record<string, unknown>))
    return Object.fromEntries(
      entries.filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(now[field])),
    )
  }

  async function flush() {
    const rows = []
    for (const [id, written] of kept) {
      const entry = loaded.get(id)
      // An object may be changed after it was put.
      const json = JSON.stringify(entry?.object)
      if (!entry || json === written) continue
      kept.set(id, json)
      const { object } = entry
      const { created, customer, _customer } = object as unknown as Record<string, unknown>
      rows.push({
        id,
        object: object.object,
        account: entry.account,
        created: typeof created === 'number' ? created : wallSeconds(),
        due_at: dueAt(object),
        customer: text(customer) ?? text(_customer),
        links: linksOf(object),
        data: object,
      })
    }
    if (rows.length === 0) return
    await client.query(
      `insert into stripe_sandbox.objects (id, object, account, created, due_at, customer, links, data)
       select r->>'id', r->>'object', r->>'account', (r->>'created')::bigint, (r->>'due_at')::bigint,
         r->>'customer', array(select jsonb_array_elements_text(r->'links')), r->'data'
       from jsonb_array_elements($1::jsonb) with ordinality as given(r, place) order by place
       on conflict (id) do update set due_at = excluded.due_at, customer = excluded.customer,
         links = excluded.links, data = excluded.data`,
      [JSON.stringify(rows)],
    )
  }

  const conditions = (object: string, filter: Filter, values: unknown[]) => {
    values.push(object, account)
    const links: string[] = []
    let where = 'object = $1 and account is not distinct from $2'
    for (const [field, value] of Object.entries(filter)) {
      if (value === undefined) continue
      if (Array.isArray(value)) {
        values.push(field, value)
        where += ` and data->>$${values.length - 1}::text = any($${values.length}::text[])`
        continue
      }
      if (value !== null && linkFields.has(field)) {
        links.push(`${field}:${value}`)
        continue
      }
      values.push(field, value)
      where += ` and data->>$${values.length - 1}::text is not distinct from $${values.length}::text`
    }
    if (links.length > 0) where += ` and links @> $${values.push(links)}::text[]`
    return where
  }

  const unit: Unit = {
    account,
    async get<T extends Kept>(id: string) {
      const known = loaded.get(id)
      if (known) return known.object as T
      const { rows } = await client.query<Row>(
        'select id, account, data from stripe_sandbox.objects where id = $1',
        [id],
      )
      return rows[0] ? (keep(rows[0]) as T) : null
    },
    async require<T extends Kept>(id: string, param?: string) {
      const object = await unit.get<T>(id)
      const owner = loaded.get(id)?.account ?? null
      if (!object || owner !== account) throw missing('object', id, param)
      return object
    },
    put(object, options) {
      const known = loaded.get(object.id)
      loaded.set(object.id, {
        object,
        account: options?.account ?? known?.account ?? account,
        before: known?.before ?? null,
      })
      if (!kept.has(object.id)) kept.set(object.id, null)
    },
    async settle() {
      await flush()
      kept.clear()
    },
    async remove(id) {
      loaded.delete(id)
      kept.delete(id)
      await client.query('delete from stripe_sandbox.objects where id = $1', [id])
    },
    async find<T extends Kept>(object: string, filter: Filter = {}) {
      await flush()
      const values: unknown[] = []
      const where = conditions(object, filter, values)
      const { rows } = await client.query<Row>(
        `select id, account, data from stripe_sandbox.objects where ${where} order by seq desc limit 1000`,
        values,
      )
      return rows.map((row) => keep(row) as T)
    },
    async page<T extends Kept>(object: string, filter: Filter, page: Page) {
      await flush()
      const values: unknown[] = []
      let where = conditions(object, filter, values)
      const place = 'select seq from stripe_sandbox.objects where id ='
      for (const [name, cursor] of [
        ['starting_after', page.startingAfter],
        ['ending_before', page.endingBefore],
      ] as const) {
        if (!cursor) continue
        await unit.require(cursor, name)
        const sign = name === 'starting_after' ? '<' : '>'
        where += ` and seq ${sign} (${place} $${values.push(cursor)})`
      }
      for (const [name, sign] of [
        ['gt', '>'],
        ['gte', '>='],
        ['lt', '<'],
        ['lte', '<='],
      ] as const) {
        const bound = page.created?.[name]
        if (bound !== undefined) where += ` and created ${sign} $${values.push(bound)}`
      }
      const order = page.endingBefore ? 'asc' : 'desc'
      const { rows } = await client.query<Row>(
        `select id, account, data from stripe_sandbox.objects where ${where}
         order by seq ${order} limit ${page.limit + 1}`,
        values,
      )
      const data = rows.slice(0, page.limit).map((row) => keep(row) as T)
      if (page.endingBefore) data.reverse()
      return { data, hasMore: rows.length > page.limit }
    },
    async now(customerId) {
      if (unit.at !== undefined) return unit.at
      if (!customerId) return wallSeconds()
      const customer = await unit.get<Kept & { test_clock?: unknown }>(customerId)
      const clock = text(customer?.test_clock)
      if (clock) {
        const found = await unit.get<Kept & { frozen_time: number }>(clock)
        if (found) return found.frozen_time
      }
      const [lead] = await unit.query<{ seconds: string }>(
        'select seconds from stripe_sandbox.clock_leads where customer = $1',
        [customerId],
      )
      return wallSeconds() + Number(lead?.seconds ?? 0)
    },
    newId,
    address: (path) => `${appUrl}/sandbox/stripe${path}`,
    emit(type, object, options) {
      const owner = options?.account ?? account
      const event = {
        id: newId('evt_'),
        object: 'event',
        api_version: apiVersion,
        // Of the wall, whatever the customer's clock says: who lists events goes on from the last one.
        created: wallSeconds(),
        data: {
          object: presented(object),
          ...(type.endsWith('.updated') ? { previous_attributes: previous(object) } : {}),
        },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
        ...(owner ? { account: owner } : {}),
      }
      // Stripe lists an account's events to that account.
      unit.put(event, { account: owner })
      newEvents.push(event.id)
    },
    async query<Result extends object>(statement: string, values: unknown[] = []) {
      const { rows } = await client.query<Result>(statement, values)
      return rows
    },
  }

  return {
    unit,
    async finish() {
      await flush()
      if (newEvents.length === 0) return false
      const { rowCount } = await client.query(
        // Lost, late, more than once, in another order: as the switches say at this moment.
        `insert into stripe_sandbox.deliveries (event_id, endpoint, due_at)
           select event_id, endpoint, clock_timestamp() + interval '1 millisecond' *
             (coalesce((data->>'delayMs')::float, 0)
               + case when (data->>'shuffle')::boolean then random() * 400 else 0 end)
           from unnest($1::text[]) with ordinality as given(event_id, place)
           cross join (select 'app' as endpoint union all
             select id from stripe_sandbox.objects where object = 'webhook_endpoint') as endpoints
           left join stripe_sandbox.switches on is_only
           cross join lateral generate_series(0, coalesce((data->>'repeat')::int, 0))
           where random() * 100 >= coalesce((data->>'dropPercent')::float, 0)
           order by place`,
        [newEvents],
      )
      return rowCount !== 0
    },
  }
}

const noWork = () => {
  throw new Error('Who only looks changes nothing.')
}

export const apiVersion = '2026-10-28.endive'

export async function openStore(options: {
  pool: Pool
  log: Log
  /** Where browsers reach the pages. */
  appUrl: string
}): Promise<Store> {
  // Of its own: the app's connections may all wait for an answer of the sandbox.
  const pool = new Pool({ ...options.pool.options, max: 4 })
  const lost = (error: Error) =>
    options.log.warn({ error: error.message }, 'a connection of the sandbox was lost')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  // Several nodes may start at once. Sent together it is one transaction, also at a pooler.
  await pool.query(`select pg_advisory_xact_lock(727275); ${schema}`)

  const listeners: (() => void)[] = []
  // Work waits here for its turn, so that it never waits with a connection in its hands.
  let last: Promise<unknown> = Promise.resolve()

  async function transact<T>(
    does: (unit: Unit) => Promise<T>,
    workOptions: WorkOptions,
  ): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin; select pg_advisory_xact_lock(727276)')
      const { unit, finish } = openUnit(client, workOptions, options.appUrl)
      const result = await does(unit)
      const hasDeliveries = await finish()
      await client.query('commit')
      if (hasDeliveries) tell()
      return result
    } catch (error) {
      await client.query('rollback').catch((cause: Error) => {
        broken = cause
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  const tell = () => {
    for (const listener of listeners) listener()
  }

  return {
    work(does, workOptions = {}) {
      const turn = last.then(() => transact(does, workOptions))
      last = turn.catch(() => {})
      return turn
    },
    // Without a transaction: each statement would see its own moment there, too.
    look: (does, workOptions = {}) => {
      const { unit } = openUnit(pool, workOptions, options.appUrl)
      return does({ ...unit, put: noWork, remove: noWork, emit: noWork })
    },
    async query<Result extends object>(statement: string, values: unknown[] = []) {
      const { rows } = await pool.query<Result>(statement, values)
      return rows
    },
    onEvents(listener) {
      listeners.push(listener)
    },
    wake: tell,
    async stop() {
      await last
      await pool.end()
    },
  }
}
