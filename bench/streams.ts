// What an open event stream costs, and how soon an event arrives, beside a bare stream of Hono.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'
import { publishToPerson } from '../src/server/publish.ts'
import { median } from './load.ts'
import { freePort, type Server, startBare, startThunder } from './processes.ts'
import { kilobytes, type Row } from './row.ts'
import { cookieOf, idNumbered } from './seed-many.ts'

const crowds = [1000, 5000]
const listeners = [1, 1000]
const events = 60
/** Milliseconds; a client is told at most ten in a second. */
const between = 150

export interface Contender {
  name: string
  server: Server
  inspector: number
  path: string
  cookie: (at: number) => string
  say: (to: number, text: string) => Promise<unknown>
}

/** Opens streams of these people; what arrives is handed over as text. */
export async function openStreams(
  { server, path, cookie }: Contender,
  people: number[],
  onText: (text: string) => void = () => {},
): Promise<() => void> {
  const { hostname, port } = new URL(server.origin)
  const sockets: Socket[] = []
  const openOne = async (person: number) => {
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: ${cookie(person)}\r\n\r\n`,
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`a stream answered ${head}`)
    socket.on('data', (data) => onText(String(data)))
  }
  // Few at a time: logging people in is not what is measured.
  const waiting = [...people]
  const open = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await openOne(next)
  }
  await Promise.all(Array.from({ length: 16 }, open))
  return () => sockets.forEach((socket) => socket.destroy())
}

/** Bytes that the process holds once it has collected its garbage. */
export async function collectedMemory(inspector: number): Promise<number> {
  const [target] = (await (await fetch(`http://127.0.0.1:${inspector}/json`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await once(socket, 'open')
  let asked = 0
  const ask = async (method: string, params = {}) => {
    const id = ++asked
    const answered = new Promise<{ result?: { result?: { value: number } } }>((resolve) =>
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data))
        if (answer.id === id) resolve(answer)
      }),
    )
    socket.send(JSON.stringify({ id, method, params }))
    return (await answered).result?.result?.value ?? 0
  }
  for (let round = 0; round < 4; round++) {
    await ask('HeapProfiler.collectGarbage')
    await delay(500)
  }
  const bytes = await ask('Runtime.evaluate', { expression: 'process.memoryUsage.rss()' })
  socket.close()
  return bytes
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/** Bytes for each of so many idle streams. */
async function memoryPerStream(contender: Contender, count: number): Promise<number> {
  // What the first ones need stays.
  const warm = await openStreams(contender, range(200))
  warm()
  await delay(1000)
  const before = await collectedMemory(contender.inspector)
  const close = await openStreams(contender, range(count))
  const after = await collectedMemory(contender.inspector)
  close()
  await delay(2000)
  return (after - before) / count
}

/** Milliseconds from saying something to its arrival, for each stream of one person. */
async function timesTo(contender: Contender, count: number): Promise<number[]> {
  const times: number[] = []
  let said = 0
  let arrived = 0
  let all = Promise.withResolvers<void>()
  const close = await openStreams(contender, Array<number>(count).fill(1), (text) => {
    if (!text.includes('data: {')) return
    times.push(performance.now() - said)
    arrived += 1
    if (arrived === count) all.resolve()
  })
  for (let event = -5; event < events; event++) {
    await delay(between)
    if (event === 0) times.length = 0
    arrived = 0
    all = Promise.withResolvers()
    said = performance.now()
    await contender.say(1, idNumbered(event + 10))
    await all.promise
  }
  close()
  await delay(1000)
  return times.toSorted((one, other) => one - other)
}

export const at = (times: number[], share: number) => times[Math.floor((times.length - 1) * share)]!
export const milliseconds = (value: number) => `${value.toFixed(1)} ms`

export async function measureStreams(options: {
  databaseUrl: string
  env: { DATA_DIR: string; AUTH_SECRET: string }
}): Promise<Row[]> {
  const { databaseUrl, env } = options
  const { db, pool } = openDatabase(databaseUrl, createLog('error'), { max: 2 })
  const ports = [await freePort(), await freePort()]
  const watched = (port: number) => [`--inspect=127.0.0.1:${port}`]
  const thunder = await startThunder({ ...env, DATABASE_URL: databaseUrl }, watched(ports[0]!))
  const bare = await startBare(databaseUrl, watched(ports[1]!))
  const contenders: Contender[] = [
    {
      name: 'bare',
      server: bare,
      inspector: ports[1]!,
      path: '/stream',
      cookie: () => 'none',
      say: (_to, text) =>
        pool.query(`select pg_notify('bare_events', $1)`, [JSON.stringify({ text })]),
    },
    {
      name: 'Thunder',
      server: thunder,
      inspector: ports[0]!,
      path: '/realtime/v1/events',
      cookie: (person) => cookieOf(person, env.AUTH_SECRET),
      say: (to, courseId) => publishToPerson(db, idNumbered(to), { type: 'progress', courseId }),
    },
  ]
  try {
    const rows: Row[] = []
    for (const count of crowds) {
      const [ofBare, ofThunder] = [[] as number[], [] as number[]]
      for (let repeat = 0; repeat < 3; repeat++) {
        ofBare.push(await memoryPerStream(contenders[0]!, count))
        ofThunder.push(await memoryPerStream(contenders[1]!, count))
      }
      const ratio = median(ofThunder) / median(ofBare)
      rows.push({
        what: `memory of an idle stream, ${count} open`,
        measured: `**${ratio.toFixed(2)}x**: ${kilobytes(median(ofThunder))}, bare ${kilobytes(median(ofBare))}`,
        goal: '<= 1.5x bare',
        met: ratio <= 1.5,
      })
    }
    for (const count of listeners) {
      const [ofBare, ofThunder] = [
        await timesTo(contenders[0]!, count),
        await timesTo(contenders[1]!, count),
      ]
      const said = (times: number[]) =>
        `p50 ${milliseconds(at(times, 0.5))}, p99 ${milliseconds(at(times, 0.99))}`
      const ratio = at(ofThunder, 0.99) / at(ofBare, 0.99)
      rows.push({
        what: `from an event to its arrival at ${count} ${count === 1 ? 'stream' : 'streams'}`,
        measured: `**${ratio.toFixed(2)}x** at p99: ${said(ofThunder)}; bare ${said(ofBare)}`,
        goal: '<= 2x bare',
        met: ratio <= 2,
      })
    }
    return rows
  } finally {
    await thunder.stop()
    await bare.stop()
    await pool.end()
  }
}
