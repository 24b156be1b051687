// Stands in for wrk where it is not installed: the same file of addresses, the same line of JSON.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

const [origin = '', file = '', seconds = '5', connections = '16'] = process.argv.slice(2)
const wanted = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split('\t') as [string, string, string, string])
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const took: number[] = []
const totals = { bytes: 0, failed: 0, refused: 0 }
let at = 0

const ask = () =>
  new Promise<void>((resolve) => {
    const [path, cookie, method, body] = wanted[at++ % wanted.length]!
    const start = performance.now()
    const headers = {
      'accept-encoding': 'gzip, deflate, br',
      ...(cookie ? { cookie } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    }
    const failed = () => {
      totals.failed++
      resolve()
    }
    request(origin + path, { agent, headers, method }, (response) => {
      if ((response.statusCode ?? 500) > 399) totals.refused++
      response.on('data', (chunk: Buffer) => (totals.bytes += chunk.length))
      response.on('error', failed)
      response.on('end', () => {
        took.push(performance.now() - start)
        resolve()
      })
    })
      .on('error', failed)
      .end(body)
  })

const begin = performance.now()
const deadline = begin + Number(seconds) * 1000
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (performance.now() < deadline) await ask()
  }),
)
const spent = (performance.now() - begin) / 1000
agent.destroy()
took.sort((a, b) => a - b)
const percentile = (part: number) => took[Math.floor(took.length * part)] ?? 0
console.log(
  JSON.stringify({
    requests: took.length,
    seconds: spent,
    ...totals,
    p50: percentile(0.5),
    p99: percentile(0.99),
  }),
)
