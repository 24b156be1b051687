// Batches of payouts: taking them, and how they go on.
import { randomBytes } from 'node:crypto'
import type { PoolClient } from 'pg'
import * as z from 'zod'
import { isRefused, outcomeFor } from './outcome.ts'
import { notFound, Refusal } from './refusal.ts'
import type { Store } from './store.ts'
import { readSwitches } from './switches.ts'

const text = (most: number) => z.string().max(most)
const header = z.strictObject({
  sender_batch_id: text(256).optional(),
  recipient_type: z.literal('EMAIL').optional(),
  email_subject: text(255).optional(),
  email_message: text(1000).optional(),
})
const item = z.strictObject({
  recipient_type: z.literal('EMAIL').optional(),
  receiver: z.email('Receiver is invalid or does not match with type').max(127),
  amount: z.strictObject({
    value: z
      .string()
      .regex(/^\d{1,9}\.\d\d$/)
      .refine((value) => Number(value) > 0, 'Amount must be greater than zero')
      .refine((value) => Number(value) <= 20_000, 'Amount is more than one payout can have'),
    currency: z.literal('USD', 'Currency is not supported'),
  }),
  note: text(4000).optional(),
  sender_item_id: text(63).optional(),
})
const newBatch = z.strictObject({
  sender_batch_header: header,
  items: z.array(item).min(1).max(15_000),
})
type Header = z.output<typeof header>
type Item = z.output<typeof item>

export const settled = z.enum([
  'SUCCESS',
  'FAILED',
  'UNCLAIMED',
  'RETURNED',
  'ONHOLD',
  'BLOCKED',
  'REFUNDED',
  'REVERSED',
])

interface ItemRow {
  id: string
  sent: Item
  status: z.output<typeof settled> | 'PENDING'
  problem: string | null
  looks: number
  processed_at: Date | null
}

interface BatchRow {
  id: string
  header: Header
  is_denied: boolean
  created_at: Date
}

export interface Batch extends BatchRow {
  items: ItemRow[]
}

/** As PayPal's: 13 capitals and digits. */
function newId(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return [...randomBytes(13)].map((byte) => alphabet[byte & 31]).join('')
}

const linkTo = (origin: string, path: string, rel: string) => ({
  href: `${origin}/v1/payments/${path}`,
  rel,
  method: 'GET',
  encType: 'application/json',
})

const pathOf = (path: PropertyKey[]) =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')

function readBatch(body: unknown) {
  const read = newBatch.safeParse(body)
  if (read.success) return read.data
  throw new Refusal(
    400,
    'VALIDATION_ERROR',
    'Invalid request - see details',
    read.error.issues.map((issue) => ({
      field: pathOf(issue.path).replace(/^\./, ''),
      location: 'body',
      issue: issue.message,
    })),
  )
}

/** PayPal's memory of who asked already is 30 days long. */
async function refuseSecond(
  client: Pick<PoolClient, 'query'>,
  senderBatchId: string,
  origin: string,
) {
  await client.query(
    `select pg_advisory_xact_lock(hashtextextended('paypal sandbox ' || $1::text, 0))`,
    [senderBatchId],
  )
  const { rows } = await client.query<{ id: string }>(
    `select id from paypal_sandbox.batches
     where sender_batch_id = $1 and created_at > now() - interval '30 days'`,
    [senderBatchId],
  )
  const [before] = rows
  if (!before) return
  throw new Refusal(400, 'USER_BUSINESS_ERROR', 'User business error.', [
    {
      field: 'SENDER_BATCH_ID',
      location: 'body',
      issue: 'Batch with given sender_batch_id already exists',
      link: [linkTo(origin, `payouts/${before.id}`, 'self')],
    },
  ])
}

export async function createBatch(store: Store, body: unknown, origin: string) {
  const { sender_batch_header: given, items } = readBatch(body)
  const { isEmpty } = await readSwitches(store)
  const id = newId()
  await store.transaction(async (client) => {
    if (given.sender_batch_id) await refuseSecond(client, given.sender_batch_id, origin)
    if (isEmpty) {
      throw new Refusal(422, 'INSUFFICIENT_FUNDS', 'Sender does not have sufficient funds.')
    }
    if (items.some(({ receiver }) => isRefused(receiver))) {
      throw new Refusal(422, 'RECEIVER_UNREGISTERED', 'Receiver is unregistered')
    }
    await client.query(
      'insert into paypal_sandbox.batches (id, sender_batch_id, header) values ($1, $2, $3)',
      [id, given.sender_batch_id, JSON.stringify(given)],
    )
    await client.query(
      `insert into paypal_sandbox.items (id, batch_id, place, sent)
       select r->>'id', $1, place, r->'sent'
       from jsonb_array_elements($2::jsonb) with ordinality as given(r, place)`,
      [id, JSON.stringify(items.map((sent) => ({ id: newId(), sent })))],
    )
  })
  return {
    batch_header: {
      payout_batch_id: id,
      batch_status: 'PENDING',
      sender_batch_header: given,
    },
    links: [linkTo(origin, `payouts/${id}`, 'self')],
  }
}

async function findBatches(store: Store, where: string, values: unknown[]): Promise<Batch[]> {
  return store.query<Batch>(
    `select b.id, b.header, b.is_denied, b.created_at,
       (select json_agg(json_build_object('id', i.id, 'sent', i.sent, 'status', i.status, 'problem', i.problem,
          'looks', i.looks, 'processed_at', i.processed_at) order by i.place)
        from paypal_sandbox.items i where i.batch_id = b.id) as items
     from paypal_sandbox.batches b ${where}`,
    values,
  )
}

/** Newest first. */
export const newestBatches = (store: Store) =>
  findBatches(store, 'order by b.seq desc limit 25', [])

async function requireBatch(store: Store, id: string): Promise<Batch> {
  const [found] = await findBatches(store, 'where b.id = $1', [id])
  if (!found) throw notFound()
  return found
}

/** Each look brings it on: the first finds it pending, the second finds how it ended. */
async function bringOn(store: Store, id: string) {
  const looked = await store.query<ItemRow>(
    `update paypal_sandbox.items set looks = looks + 1 where batch_id = $1 and status = 'PENDING'
     returning id, sent, looks`,
    [id],
  )
  for (const { id: itemId, sent, looks } of looked) {
    if (looks < 2) continue
    const { status, problem } = outcomeFor(sent.receiver)
    await store.query(
      `update paypal_sandbox.items set status = $2, problem = $3, processed_at = now()
       where id = $1 and status = 'PENDING'`,
      [itemId, status, problem],
    )
  }
}

const inCents = ({ amount }: Item) => Math.round(Number(amount.value) * 100)
/** PayPal's share, from us: 2 %, and never more than $20. */
const feeOf = (sent: Item) => Math.min(2_000, Math.ceil(inCents(sent) * 0.02))
const inDollars = (cents: number) => ({ currency: 'USD', value: (cents / 100).toFixed(2) })

function batchStatusOf({ is_denied: isDenied, items }: Batch) {
  if (isDenied) return 'DENIED'
  if (items.every(({ status, looks }) => status === 'PENDING' && looks < 2)) return 'PENDING'
  return items.some(({ status }) => status === 'PENDING') ? 'PROCESSING' : 'SUCCESS'
}

function shownItem(row: ItemRow, batch: Batch, origin: string) {
  return {
    payout_item_id: row.id,
    transaction_status: row.status,
    payout_item_fee: inDollars(feeOf(row.sent)),
    payout_batch_id: batch.id,
    payout_item: { recipient_type: 'EMAIL', ...row.sent, recipient_wallet: 'PAYPAL' },
    ...(row.processed_at ? { time_processed: row.processed_at } : {}),
    ...(row.problem
      ? { errors: { name: row.problem, message: row.problem, details: [], links: [] } }
      : {}),
    links: [linkTo(origin, `payouts-item/${row.id}`, 'item')],
  }
}

/** As the API shows it. */
function shown(batch: Batch, origin: string) {
  const total = (of: (sent: Item) => number) =>
    inDollars(batch.items.reduce((sum, { sent }) => sum + of(sent), 0))
  return {
    total_items: batch.items.length,
    total_pages: 1,
    batch_header: {
      payout_batch_id: batch.id,
      batch_status: batchStatusOf(batch),
      time_created: batch.created_at,
      sender_batch_header: batch.header,
      funding_source: 'BALANCE',
      amount: total(inCents),
      fees: total(feeOf),
    },
    items: batch.items.map((row) => shownItem(row, batch, origin)),
    links: [linkTo(origin, `payouts/${batch.id}`, 'self')],
  }
}

export async function showBatch(store: Store, id: string, origin: string) {
  await bringOn(store, id)
  return shown(await requireBatch(store, id), origin)
}

/** Back to who sent it, as long as nobody has claimed it. */
export async function cancelItem(store: Store, id: string, origin: string) {
  const [canceled] = await store.query<{ batch_id: string; moved: boolean }>(
    `with canceled as (
       update paypal_sandbox.items set status = 'RETURNED', processed_at = now()
        where id = $1 and status = 'UNCLAIMED' returning id)
     select batch_id, exists (select from canceled) as moved from paypal_sandbox.items where id = $1`,
    [id],
  )
  if (!canceled) throw notFound()
  if (!canceled.moved) {
    throw new Refusal(400, 'ITEM_INCORRECT_STATUS', 'Only unclaimed items can be cancelled.')
  }
  const batch = await requireBatch(store, canceled.batch_id)
  return shownItem(
    batch.items.find((one) => one.id === id)!,
    batch,
    origin,
  )
}

/** What people, PayPal or time do to all items of a batch. Who was paid can only lose it again. */
export async function settleBatch(
  store: Store,
  id: string,
  status: z.output<typeof settled>,
  problem: string | null,
) {
  const from =
    status === 'REVERSED' || status === 'REFUNDED'
      ? ['SUCCESS', 'PENDING', 'UNCLAIMED', 'ONHOLD']
      : ['PENDING', 'UNCLAIMED', 'ONHOLD']
  const moved = await store.query(
    `update paypal_sandbox.items set status = $2, problem = $3, processed_at = now()
     where batch_id = $1 and status = any($4) returning id`,
    [id, status, problem, from],
  )
  if (moved.length === 0) throw new Refusal(400, 'ITEM_INCORRECT_STATUS', 'It has ended already.')
}

/** PayPal looked at the whole batch and did not begin with it. */
export async function denyBatch(store: Store, id: string, problem: string) {
  await settleBatch(store, id, 'FAILED', problem)
  await store.query('update paypal_sandbox.batches set is_denied = true where id = $1', [id])
}
