// What the sandbox would have sent: its own webhooks are switched off, and sent from here as a seed says.
import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { concernsUs } from '../../src/domains/payments/event-kinds.ts'
import type { Chance } from './chance.ts'
import type { Process } from './world.ts'

export interface HeldEvent {
  id: string
  body: string
}

interface Row {
  seq: string
  data: {
    id: string
    type: string
    data: { object: { id: string; object: string; customer?: string | null; charge?: unknown } }
  }
}

/** Events by the customer that they are about, each once, in the order in which they happened. */
export class EventFeed {
  readonly #pool: Pool
  #last = 0n
  #ignored = 0
  #reading: Promise<void> | null = null
  readonly #waiting = new Map<string, HeldEvent[]>()
  readonly #customerOfCharge = new Map<string, string>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Those of this customer that were not taken before. */
  async take(customerId: string): Promise<HeldEvent[]> {
    // A reading under way may have begun before what is asked for happened.
    await this.#reading
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    await this.#reading
    const taken = this.#waiting.get(customerId) ?? []
    this.#waiting.delete(customerId)
    return taken
  }

  async #read() {
    const { rows } = await this.#pool.query<Row>(
      `select seq, data from stripe_sandbox.objects where object = 'event' and seq > $1 order by seq`,
      [String(this.#last)],
    )
    for (const { seq, data } of rows) {
      this.#last = BigInt(seq)
      const customer = this.#customerOf(data.data.object)
      if (!customer) continue
      // Of what nothing depends on some is enough.
      if (!concernsUs(data.type) && (this.#ignored += 1) % 8 > 0) continue
      const held = { id: data.id, body: JSON.stringify(data) }
      this.#waiting.set(customer, [...(this.#waiting.get(customer) ?? []), held])
    }
  }

  #customerOf({ id, object, customer, charge }: Row['data']['data']['object']): string | null {
    if (object === 'customer') return id
    if (object === 'charge' && customer) this.#customerOfCharge.set(id, customer)
    return customer ?? this.#customerOfCharge.get(String(charge)) ?? null
  }
}

/** Mostly once or twice, at times twenty times. */
const copies = (random: Chance) => (random.is(0.05) ? random.between(10, 20) : random.between(1, 3))

/** Sends them to either process or both, again and again, in any order, all at once. */
export async function deliver(
  events: HeldEvent[],
  processes: readonly Process[],
  random: Chance,
): Promise<void> {
  const sendings = events.flatMap((event) =>
    Array.from({ length: copies(random) }, () => ({ event, to: random.one(processes) })),
  )
  await Promise.all(random.shuffled(sendings).map(({ event, to }) => send(event, to)))
}

async function send({ id, body }: HeldEvent, { url, services }: Process): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000)
  const signed = `${seconds}.${body}`
  const proof = createHmac('sha256', services.payments.webhookSecrets[0]!)
    .update(signed)
    .digest('hex')
  const response = await fetch(`${url}/webhooks/stripe`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'stripe-signature': `t=${seconds},v1=${proof}`,
    },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`webhook ${id} answered ${response.status}: ${text}`)
}
