import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that a system gives to whoever asks for any, and those of PostgreSQL: one of these could be
 * given away again before the server listens, which takes seconds; then another program answers in its place.
 */
const ports = { from: 12_000, to: 20_000 }

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
