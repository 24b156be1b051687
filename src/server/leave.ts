// How a node leaves while others stay: balancers hear of it, then nobody new is taken, then what is under way ends.
import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from './services.ts'

/** Milliseconds that requests under way get after the node has left (a slow upload, mostly), and what is worked on. */
const patience = { others: 15_000, alone: 5000, work: 30_000 }
/** Milliseconds between looks for connections that have nothing to say any more. */
const lookEvery = 50

interface Leaving {
  server: Server
  services: Pick<Services, 'readiness' | 'events' | 'log'>
  /** Gives jobs and videos to other nodes. */
  stopWork(): Promise<void>
  drainSeconds: number
  /** Milliseconds that work gets: a database that says nothing more must not keep the node. */
  workPatience?: number
}

/** From now on every answer says that its connection ends with it. */
function endConnections(server: Server): void {
  server.prependListener('request', (_, answer) => {
    answer.shouldKeepAlive = false
  })
}

/**
 * Resolves when nobody is being served any more. `hurry` ends the first part of it, in which requests are still
 * taken, so that none meets a door that has just been shut.
 */
export async function leave(
  { server, services, stopWork, drainSeconds, workPatience = patience.work }: Leaving,
  hurry: AbortSignal,
): Promise<void> {
  const { readiness, events, log } = services
  readiness.isLeaving = true
  endConnections(server)
  log.info({ drainSeconds }, 'leaving')
  const working = stopWork()
  if (!hurry.aborted && drainSeconds > 0) {
    await pause(drainSeconds * 1000, undefined, { signal: hurry }).catch(() => {})
  }
  const closed = new Promise((resolve) => server.close(resolve))
  events.hangUp()
  // Those that were opened before: their answers did not say that they end.
  const looking = setInterval(() => server.closeIdleConnections(), lookEvery)
  const last = setTimeout(
    () => server.closeAllConnections(),
    drainSeconds > 0 ? patience.others : patience.alone,
  )
  await closed
  clearInterval(looking)
  clearTimeout(last)
  const tooLate = pause(workPatience, 'too late' as const, { ref: false })
  if ((await Promise.race([working, tooLate])) === 'too late') {
    log.warn('what is worked on does not end: others begin it again')
  }
}
