// The schedule of jobs goes by the clock, and forward only. After a clock that was ahead it would do nothing until that
// time comes again, so it begins anew when the clock is set back.
import { Client } from 'pg'
import type { Log } from './log.ts'

/** Milliseconds between looks, and those by which a clock may be set back without being noticed. */
const lookEvery = 5000
const tolerance = 60_000

/** Hours that a job which has failed may have to wait: the longest that it is put off is exp(10) seconds. */
const longestWait = 7

/** What was noted of the time to come is noted of this minute, and what failed is tried again. */
export async function forgetFuture(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(
      `update graphile_worker._private_known_crontabs
          set last_execution = date_trunc('minute', $1::timestamptz) where last_execution > $1`,
      [new Date()],
    )
    await client.query(
      `update graphile_worker._private_jobs set run_at = now()
        where attempts > 0 and locked_at is null
          and run_at > now() + make_interval(hours => ${longestWait})`,
    )
  } finally {
    await client.end()
  }
}

/** Calls `beginAnew` when the clock was set back; again after a while when that failed. */
export function whenSetBack(beginAnew: () => Promise<void>, log: Log): { stop(): Promise<void> } {
  const ahead = () => Date.now() - performance.now()
  let known = ahead()
  let beginning: Promise<void> | null = null
  const timer = setInterval(() => {
    if (beginning) return
    const now = ahead()
    if (now > known - tolerance) {
      const seconds = Math.round((now - known) / 1000)
      if (now > known + tolerance) log.warn({ seconds }, 'the clock was set forward')
      known = now
      return
    }
    log.warn({ seconds: Math.round((known - now) / 1000) }, 'the clock was set back')
    beginning = beginAnew()
      .then(
        () => {
          known = now
        },
        (error: unknown) => log.error({ err: error }, 'the schedule did not begin anew'),
      )
      .finally(() => (beginning = null))
  }, lookEvery)
  return {
    async stop() {
      clearInterval(timer)
      await beginning
    },
  }
}
