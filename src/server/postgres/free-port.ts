import { createServer } from 'node:net'

/**
 * A free port on 127.0.0.1, below the range that systems give to outgoing connections: nothing
 * takes it while the server restarts, not even our own attempts to connect to it.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (await isFree(port)) return port
  }
  throw new Error('PostgreSQL found no free port on 127.0.0.1 between 20000 and 32000.')
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
