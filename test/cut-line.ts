// A line to a server that can be cut, as when it crashes or its network is gone, and be in other trouble.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What is the matter with a line that is not cut. */
export type Trouble =
  | 'none'
  /** Whatever is sent, in either direction, stays on the way. */
  | 'hangs'
  /** Whatever is sent comes so many milliseconds later. */
  | { later: number }
  /** Something else answers in the server's place, as soon as it is asked, and hangs up. */
  | { answers: string }
  /** The same for protocols in which the server speaks first. */
  | { greets: string }

/** Leads to the server at `url`; `url` of the answer leads through it. */
export async function startLine(url: string) {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let trouble: Trouble = 'none'

  async function pass(bytes: Buffer, from: Socket, to: Socket, isNear: boolean) {
    // Whoever waits behind it keeps the order.
    from.pause()
    if (trouble === 'hangs') return
    if (typeof trouble === 'object') {
      if ('later' in trouble) await delay(trouble.later)
      else if (isNear) {
        const said = 'answers' in trouble ? trouble.answers : trouble.greets
        from.removeAllListeners('data').resume()
        from.end(said)
        return
      }
    }
    if (!to.destroyed && !to.write(bytes)) await once(to, 'drain').catch(() => {})
    from.resume()
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    open.add(near)
    near.on('error', () => {})
    near.on('close', () => open.delete(near))
    if (typeof trouble === 'object' && 'greets' in trouble) {
      near.end(trouble.greets)
      return
    }
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      // The end of a socket may be told while its last bytes are still on the way.
      let passing = Promise.resolve()
      one.on('end', () => void passing.then(() => trouble !== 'hangs' && other.end()))
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.on('data', (bytes) => (passing = pass(bytes, one, other, one === near)))
    }
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const breakAll = () => {
    for (const socket of open) socket.destroy()
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
      breakAll()
      await closed
    },
    async mend() {
      await listen(ownPort)
    },
    /** For what is under way as well. What hung is broken by the next change, as by a server that was restarted. */
    trouble(now: Trouble) {
      if (trouble === 'hangs') breakAll()
      trouble = now
    },
  }
}
