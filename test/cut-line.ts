// A line to a server that can be cut, as when it crashes or its network is gone.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Leads to the server at `url`; `url` of the answer leads through it. */
export async function startLine(url: string) {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const through = new URL(url)
  const ownPort = await listen(0)
  through.hostname = '127.0.0.1'
  through.port = String(ownPort)
  return {
    url: through.href,
    /** Breaks what is under way; whoever comes now is refused. */
    async cut() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
    async mend() {
      await listen(ownPort)
    },
  }
}
