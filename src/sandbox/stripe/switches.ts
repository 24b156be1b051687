import type { Store, Unit } from './store.ts'

/** Bad days, on purpose. Those of webhooks bind events from then on. */
export interface Switches {
  /** Webhooks are sent this much later. */
  delayMs: number
  /** This share of the webhooks is never sent. */
  dropPercent: number
  /** Each webhook is sent this many times more. */
  repeat: number
  /** Webhooks are sent in any order. */
  shuffle: boolean
  /** Whatever the receiver answers to a webhook, it counts as this status; 0: what it answers. */
  webhookStatus: number
  /** Answers of the API come this much later; their effect does not. */
  apiDelayMs: number
  /** The API answers this status and does nothing; 0: it works. */
  apiStatus: number
  /** A renewal is a draft for this long before it is charged, an hour at Stripe; 0: it is charged at once. */
  draftSeconds: number
}

const off: Switches = {
  delayMs: 0,
  dropPercent: 0,
  repeat: 0,
  shuffle: false,
  webhookStatus: 0,
  apiDelayMs: 0,
  apiStatus: 0,
  draftSeconds: 0,
}

export async function readSwitches(store: Pick<Store | Unit, 'query'>): Promise<Switches> {
  const [row] = await store.query<{ data: Partial<Switches> }>(
    'select data from stripe_sandbox.switches',
  )
  return { ...off, ...row?.data }
}

/** Sets the given switches, for all nodes; the others stay as they are. */
export async function setSwitches(store: Store, change: Partial<Switches>): Promise<Switches> {
  const known = Object.fromEntries(
    Object.entries(change).filter(([name, value]) => name in off && value !== undefined),
  )
  await store.query(
    `insert into stripe_sandbox.switches (data) values ($1)
     on conflict (is_only) do update set data = switches.data || excluded.data`,
    [JSON.stringify(known)],
  )
  // What waited because of them waits no longer.
  if (change.delayMs === 0 || change.webhookStatus === 0) {
    await store.query('update stripe_sandbox.deliveries set due_at = now() where not is_sending')
    store.wake()
  }
  return readSwitches(store)
}
