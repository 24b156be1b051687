import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresBinaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { type Server, startServer, stopServer } from './server.ts'

/** A server that lived longer than this is started again at once. */
const HEALTHY_MS = 10_000
const LONGEST_PAUSE_MS = 1_000

/**
 * Starts the server (or adopts it), and starts it again on the same port whenever it dies, until
 * `stop()`.
 *
 * @throws Error with a sentence for people, when it cannot be started the first time
 */
export async function supervise(
  cluster: Cluster,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const stopping = new AbortController()
  const asked = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve())
  })
  let pid: number | undefined

  const start = (port?: number) =>
    startServer(cluster, binaries, {
      port,
      log,
      signal: stopping.signal,
      onProcess: (started) => {
        pid = started
      },
    })

  const first = await start()
  const { port } = first

  const startAgain = async (): Promise<Server | undefined> => {
    try {
      return await start(port)
    } catch (error) {
      pid = undefined
      if (!stopping.signal.aborted) log(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  const keepRunning = async () => {
    let pauseMs = 0
    for (let server: Server | undefined = first; !stopping.signal.aborted;) {
      if (server) {
        const since = Date.now()
        await Promise.race([server.ended, asked])
        if (stopping.signal.aborted) return
        pid = undefined
        log(`PostgreSQL (process ${server.pid}) ended by itself: starting it again.`)
        if (Date.now() - since > HEALTHY_MS) pauseMs = 0
      }
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 || 100)
      server = await startAgain()
    }
  }
  const kept = keepRunning()

  const stopCurrent = async () => {
    if (pid !== undefined) await stopServer(cluster, binaries, pid)
    pid = undefined
  }

  return {
    port,
    async stop() {
      stopping.abort()
      await stopCurrent()
      await kept
      // One that a restart under way was just finding.
      await stopCurrent()
    },
  }
}
