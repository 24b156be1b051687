// When Thunder has done everything about what it was told: asked for all who wait at once.
import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'pg'

interface Waiting {
  events: string[]
  customerId: string | null
  until: number
  done: () => void
  failed: (error: Error) => void
}

const left = `
  select array(select id from payment_events where id = any($1) and status = 'waiting') as events,
         array(select o.customer from graphile_worker._private_jobs j
                 join stripe_sandbox.objects o
                   on o.id = coalesce(j.payload->>'subscriptionId', j.payload->>'chargeId')) as customers`

export class Quiet {
  readonly #pool: Pool
  readonly #all = new Set<Waiting>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** These events are applied, and no job about this customer is left. */
  wait(events: string[], customerId: string | null): Promise<void> {
    return new Promise((done, failed) => {
      const isFirst = this.#all.size === 0
      this.#all.add({ events, customerId, until: Date.now() + 120_000, done, failed })
      if (isFirst) void this.#look()
    })
  }

  async #look() {
    while (this.#all.size > 0) {
      const asked = [...this.#all]
      const ids = asked.flatMap(({ events }) => events)
      const found = await this.#pool
        .query<{ events: string[]; customers: string[] }>(left, [ids])
        .then(({ rows }) => rows[0]!)
        .catch((error: Error) => error)
      for (const one of asked) {
        if (found instanceof Error) one.failed(found)
        else if (!isLeft(one, found)) one.done()
        else if (Date.now() > one.until) one.failed(new Error('payments did not settle'))
        else continue
        this.#all.delete(one)
      }
      await setTimeout(40)
    }
  }
}

const isLeft = (
  { events, customerId }: Waiting,
  found: { events: string[]; customers: string[] },
): boolean =>
  events.some((id) => found.events.includes(id)) ||
  (customerId !== null && found.customers.includes(customerId))
