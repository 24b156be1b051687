// What becomes of money that is sent to an address of the sandbox: its `+tag` decides.

interface Outcome {
  status: 'SUCCESS' | 'UNCLAIMED' | 'ONHOLD' | 'BLOCKED' | 'FAILED'
  problem: string | null
}

const outcomes: Record<string, Outcome> = {
  unclaimed: { status: 'UNCLAIMED', problem: 'RECEIVER_UNREGISTERED' },
  onhold: { status: 'ONHOLD', problem: null },
  blocked: { status: 'BLOCKED', problem: 'REGULATORY_BLOCKED' },
  locked: { status: 'FAILED', problem: 'RECEIVER_ACCOUNT_LOCKED' },
}

const tagOf = (email: string) => /\+([a-z]+)@/i.exec(email)?.[1]?.toLowerCase() ?? ''

/** How it ends by itself; who is unclaimed or on hold waits for the operator. */
export const outcomeFor = (email: string): Outcome =>
  outcomes[tagOf(email)] ?? { status: 'SUCCESS', problem: null }

/** Refused before anything is sent. */
export const isRefused = (email: string) => tagOf(email) === 'refuse'

/** For the operator's page. */
export const tags = [...Object.keys(outcomes), 'refuse']
