import { setTimeout as pause } from 'node:timers/promises'

export class TooLate extends Error {}

/** Milliseconds that balancers and Prometheus wait for an answer are ten thousand; this is less. */
const patience = 5000

/** @throws {TooLate} when no answer comes in time; what was asked goes on, and nobody hears of it. */
export async function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const given = new AbortController()
  const late = pause(patience, undefined, { signal: given.signal }).then(() => {
    throw new TooLate('no answer came in time')
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    given.abort()
  }
}
