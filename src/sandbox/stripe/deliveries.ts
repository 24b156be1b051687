// Webhooks: signed as Stripe signs them, sent when the work that caused them is kept, repeated until heard.
import { createHmac } from 'node:crypto'
import type { Log } from '../../server/log.ts'
import type { Store } from './store.ts'

const atOnce = 8
const patience = 10_000
const mostAttempts = 16

interface Delivery {
  id: string
  attempts: number
  event: { type: string }
  target: string
  /** The status that counts in the place of the answer's; 0: the answer's. */
  pretended: number
  /** Of an endpoint that was registered through the API; null is the app. */
  endpoint: { url: string; _secret: string; enabled_events: string[] } | null
}

function signature(secret: string, body: string, seconds: number) {
  const proof = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${proof}`
}

export function startDeliveries(options: { store: Store; webhookSecret: string; log: Log }) {
  const { store, webhookSecret, log } = options
  let address: string | null = null
  let wake = () => {}
  let isWoken = false
  const stopping = new AbortController()
  const sending = new Set<Promise<void>>()

  const wakeUp = () => {
    isWoken = true
    wake()
  }
  store.onEvents(wakeUp)

  /** Taken by this node for a while: after a crash another one sends it. */
  const claim = (most: number) =>
    store.query<Delivery>(
      `with due as (
         select id from stripe_sandbox.deliveries where due_at <= clock_timestamp()
         order by due_at, id limit $1 for update skip locked
       ), claimed as (
         update stripe_sandbox.deliveries d set attempts = attempts + 1, is_sending = true,
           due_at = clock_timestamp() + interval '30 seconds'
         from due where due.id = d.id returning d.*
       )
       select claimed.id, claimed.attempts, claimed.endpoint as target, event.data as event,
         coalesce((select (data->>'webhookStatus')::int from stripe_sandbox.switches), 0) as pretended, endpoint.data as endpoint
       from claimed
       join stripe_sandbox.objects event on event.id = claimed.event_id
       left join stripe_sandbox.objects endpoint on endpoint.id = claimed.endpoint
       order by claimed.id`,
      [most],
    )

  async function post({ event, endpoint, target, pretended }: Delivery): Promise<number> {
    const wanted = endpoint?.enabled_events
    const isWanted = !wanted || wanted.includes('*') || wanted.includes(event.type)
    const url = endpoint?.url ?? address
    const isGone = target !== 'app' && !endpoint
    if (!isWanted || isGone || !url) return 200
    const body = JSON.stringify(event, null, 2)
    const seconds = Math.floor(Date.now() / 1000)
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (sandbox)',
        'stripe-signature': signature(endpoint?._secret ?? webhookSecret, body, seconds),
      },
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(patience)]),
    })
    await response.arrayBuffer()
    return pretended || response.status
  }

  async function send(delivery: Delivery): Promise<void> {
    const status = await post(delivery).catch(() => 0)
    const isHeard = status >= 200 && status < 300
    if (isHeard || delivery.attempts >= mostAttempts) {
      if (!isHeard) log.warn({ type: delivery.event.type }, 'the sandbox gave up a webhook')
      await store.query('delete from stripe_sandbox.deliveries where id = $1', [delivery.id])
      return
    }
    const wait = stopping.signal.aborted ? 0 : Math.min(2 ** delivery.attempts * 250, 3_600_000)
    await store.query(
      `update stripe_sandbox.deliveries set is_sending = false,
         due_at = clock_timestamp() + interval '1 millisecond' * $2::float where id = $1`,
      [delivery.id, wait],
    )
  }

  /** Without its own reason to wake up a node looks again at times: another one may have left something. */
  async function untilDue(canSend: boolean): Promise<void> {
    const [next] = canSend
      ? await store.query<{ ms: number | null }>(
          `select extract(epoch from min(due_at) - clock_timestamp())::float * 1000 as ms
           from stripe_sandbox.deliveries`,
        )
      : []
    if (isWoken || stopping.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(5, Math.min(next?.ms ?? 1000, 1000)))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false
      try {
        const free = atOnce - sending.size
        const canSend = address !== null && free > 0
        const claimed = canSend ? await claim(free) : []
        for (const delivery of claimed) {
          const sent = send(delivery)
            .catch((error: unknown) => log.warn({ err: error }, 'a webhook was not sent'))
            .finally(() => {
              sending.delete(sent)
              wakeUp()
            })
          sending.add(sent)
        }
        if (claimed.length === 0) await untilDue(canSend)
      } catch (error) {
        log.warn({ err: error }, 'the webhooks of the sandbox wait')
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
    await Promise.all(sending)
  }
  const running = run()

  return {
    async deliverTo(url: string) {
      address = url
      await store.query('update stripe_sandbox.deliveries set due_at = now() where not is_sending')
      wakeUp()
    },
    async stop() {
      stopping.abort()
      wakeUp()
      await running
    },
  }
}

/** Webhooks that were not heard yet; `retrying` of them failed before and wait. */
export async function waitingDeliveries(store: Store) {
  const [row] = await store.query<{ pending: number; retrying: number }>(
    `select count(*)::int as pending,
       (count(*) filter (where attempts > 0 and not is_sending))::int as retrying
     from stripe_sandbox.deliveries`,
  )
  return { pending: row?.pending ?? 0, retrying: row?.retrying ?? 0 }
}
