import type { Store } from './store.ts'

/** Bad days, on purpose. */
export interface Switches {
  /** The API answers this status and does nothing; 0: it works. */
  apiStatus: number
  /** Answers of the API come this much later; their effect does not. */
  apiDelayMs: number
  /** The API does what it is asked to, and answers 500. */
  losesAnswers: boolean
  /** There is no money in our account. */
  isEmpty: boolean
  /** Tokens of an older generation have ended. */
  generation: number
}

const off: Switches = {
  apiStatus: 0,
  apiDelayMs: 0,
  losesAnswers: false,
  isEmpty: false,
  generation: 0,
}

export async function readSwitches(store: Store): Promise<Switches> {
  const [row] = await store.query<{ data: Partial<Switches> }>(
    'select data from paypal_sandbox.switches',
  )
  return { ...off, ...row?.data }
}

/** Sets the given switches, for all nodes; the others stay as they are. */
export async function setSwitches(store: Store, change: Partial<Switches>): Promise<Switches> {
  const known = Object.fromEntries(
    Object.entries(change).filter(([name, value]) => name in off && value !== undefined),
  )
  await store.query(
    `insert into paypal_sandbox.switches (data) values ($1)
     on conflict (is_only) do update set data = switches.data || excluded.data`,
    [JSON.stringify(known)],
  )
  return readSwitches(store)
}
