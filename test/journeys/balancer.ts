// A balancer for the journeys where there is only Node: each request goes to the next node, whoever sends it.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as send,
  type ServerResponse,
} from 'node:http'

export interface Balancer {
  stop(): Promise<void>
}

/** Milliseconds between two questions whether a node is well. */
const askEvery = 500

/** Longest time, in milliseconds, that each request and each answer is under way; 0 is as fast as it goes. */
const slowest = Number(process.env.JOURNEY_SLOW ?? 0)

/** How long this one is under way: some overtake others, as on a bad line. */
const underWay = () =>
  slowest > 0 ? new Promise((arrived) => setTimeout(arrived, Math.random() * slowest)) : null

/** Of one connection, not of what is sent through it. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding'])

const passedOn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)))

/** What may be asked twice without harm. */
const isRepeatable = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/**
 * What haproxy.cfg of docs/operations.md does: round robin over the nodes that are well; a refused connection goes
 * to another node, a question without an answer too. `x-served-by` says which node has answered.
 */
export async function startBalancer(port: number, nodes: string[]): Promise<Balancer> {
  const unwell = new Set<string>()
  let turn = 0

  function choose(tried: string[]): string | undefined {
    const left = nodes.filter((node) => !tried.includes(node))
    const well = left.filter((node) => !unwell.has(node))
    const choice = well.length > 0 ? well : left
    turn += 1
    return choice[turn % choice.length]
  }

  function pass(incoming: IncomingMessage, answer: ServerResponse, tried: string[] = []): void {
    const node = choose(tried)
    if (node === undefined) {
      const status = tried.length > 0 && !isRepeatable(incoming) ? 502 : 503
      answer.writeHead(status, { 'content-type': 'text/plain' }).end('No node has answered.')
      return
    }
    const outgoing = send(`http://${node}${incoming.url}`, {
      method: incoming.method,
      headers: passedOn(incoming.headers),
      agent: false,
    })
    let isConnected = false
    outgoing.once('socket', (socket) =>
      socket.once('connect', () => {
        isConnected = true
        // Nothing of a body is taken before somebody is there to get it.
        if (isRepeatable(incoming)) outgoing.end()
        else incoming.pipe(outgoing)
      }),
    )
    outgoing.once('response', async (response) => {
      response.once('error', () => answer.destroy())
      response.once('aborted', () => answer.destroy())
      await underWay()
      if (answer.destroyed) return
      answer.writeHead(response.statusCode ?? 502, {
        ...passedOn(response.headers),
        'x-served-by': node,
      })
      // An event stream has begun before it has anything to say.
      answer.flushHeaders()
      response.pipe(answer)
    })
    let hasFailed = false
    outgoing.on('error', () => {
      if (hasFailed) return
      hasFailed = true
      incoming.unpipe(outgoing)
      if (answer.headersSent || answer.destroyed) return void answer.destroy()
      if (!isConnected) unwell.add(node)
      if (!isConnected || isRepeatable(incoming)) return pass(incoming, answer, [...tried, node])
      // Nobody reads the rest of its body: who goes on sending would wait for ever.
      answer
        .writeHead(502, { 'content-type': 'text/plain', connection: 'close' })
        .end('The node has not answered.', () => incoming.socket.destroy())
    })
    answer.once('close', () => {
      if (!answer.writableFinished) outgoing.destroy()
    })
  }

  const ask = async (node: string) => {
    const answer = await fetch(`http://${node}/readyz`, {
      signal: AbortSignal.timeout(5000),
    }).catch(() => null)
    if (answer?.ok) unwell.delete(node)
    else unwell.add(node)
  }
  const asking = setInterval(() => void Promise.all(nodes.map(ask)), askEvery)

  const server = createServer(async (incoming, answer) => {
    await underWay()
    if (!answer.destroyed) pass(incoming, answer)
  })
  server.keepAliveTimeout = 75_000
  // Uploads and event streams take as long as they take.
  server.requestTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, resolve)
  })
  return {
    async stop() {
      clearInterval(asking)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
