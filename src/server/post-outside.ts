// The one place that sends something to an address that somebody typed.
import { lookup as lookupHere } from 'node:dns/promises'
import { Resolver } from 'node:dns/promises'
import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { performance } from 'node:perf_hooks'
import { addressProblem, isPublicAddress, privateNetwork } from './public-address.ts'

/** From the look-up of the name to the last byte of the answer. */
const wait = 10_000
const mostRead = 64 * 1024
const mostKept = 2 * 1024

export interface Outside {
  /** Also http, and addresses of the own network: for development and tests. */
  allowPrivate: boolean
  /** The addresses of a name. */
  resolve?: (name: string) => Promise<string[]>
  /** Milliseconds. */
  timeout?: number
}

export interface Outcome {
  /** Null when no answer came. */
  status: number | null
  milliseconds: number
  /** How the answer begins. */
  answer: string
  /** In words; null when an answer came. */
  problem: string | null
}

class PrivateNetwork extends Error {}

/** Asks name servers itself: the system's look-up would hold one of the few threads that also read files. */
async function askNameServers(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (found.length > 0) return found
  throw answers.find((one) => one.status === 'rejected')?.reason
}

const askSystem = async (name: string) =>
  (await lookupHere(name, { all: true })).map(({ address }) => address)

/**
 * Names are looked up once, by the connection, and what was found is checked and connected to: a name that
 * leads elsewhere a moment later gains nothing. One private address among public ones is enough for a refusal.
 */
function checkedLookup({ allowPrivate, resolve }: Outside): LookupFunction {
  const ask = resolve ?? (allowPrivate ? askSystem : askNameServers)
  return (name, options, callback) => {
    ask(name).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return callback(notFound(name), '')
        if (!allowPrivate && !addresses.every(isPublicAddress)) {
          return callback(new PrivateNetwork(privateNetwork), '')
        }
        if (!options.all) return callback(null, first, isIP(first))
        const all = addresses.map((address) => ({ address, family: isIP(address) }))
        return callback(null, all)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

const notFound = (name: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' })

const words: Record<string, string> = {
  ENOTFOUND: 'The name of the server was not found',
  ENODATA: 'The name of the server was not found',
  ESERVFAIL: 'The name of the server could not be looked up',
  ETIMEOUT: 'The name of the server could not be looked up',
  ECONNREFUSED: 'The server refused the connection',
  ECONNRESET: 'The server ended the connection without an answer',
  EPIPE: 'The server ended the connection without an answer',
  EHOSTUNREACH: 'The server could not be reached',
  ENETUNREACH: 'The server could not be reached',
}

function problemOf(error: Error & { code?: string }, timeout: number): string {
  if (error instanceof PrivateNetwork) return error.message
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `No whole answer within ${timeout / 1000} seconds`
  }
  const { code = '' } = error
  if (/CERT|TLS|SSL|EPROTO|SIGNATURE/.test(code)) return `The connection is not secure (${code})`
  if (code.startsWith('HPE_')) return 'What the server answered is no HTTP'
  return words[code] ?? `The server could not be reached${code && ` (${code})`}`
}

/**
 * Posts a text and answers what became of it; never throws. Redirects are answers, and are not followed: they
 * would lead to an address that nobody checked.
 */
export async function postOutside(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  outside: Outside,
): Promise<Outcome> {
  const started = performance.now()
  const { timeout = wait } = outside
  const took = () => Math.round(performance.now() - started)
  const failed = (problem: string): Outcome => ({
    status: null,
    milliseconds: took(),
    answer: '',
    problem,
  })
  const refused = addressProblem(address, outside)
  if (refused !== null) return failed(refused)
  const url = new URL(address)
  const bytes = Buffer.from(body)
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? request : requestPlain
    const sent = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(bytes.length) },
      // A connection of its own: one that is kept was checked for somebody else.
      agent: false,
      lookup: checkedLookup(outside),
      signal: AbortSignal.timeout(timeout),
    })
    sent.on('error', (error) => resolve(failed(problemOf(error, timeout))))
    // Nobody speaks another protocol here. Without this such an answer would be no event of the request at all.
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve({ status: statusCode ?? null, milliseconds: took(), answer: '', problem: null })
    })
    // Whatever else may end it without a word: who waits for this holds a place that others need.
    const ended = () => resolve(failed(words.ECONNRESET!))
    sent.on('close', ended)
    sent.on('response', (response) => {
      // Its end is that of the answer, which may come a moment after that of the connection.
      sent.off('close', ended)
      const kept: Buffer[] = []
      let read = 0
      const done = () => {
        const begins = Buffer.concat(kept).subarray(0, mostKept).toString()
        resolve({
          status: response.statusCode ?? null,
          milliseconds: took(),
          // What PostgreSQL cannot store is dropped, like everywhere.
          answer: begins.replaceAll('\0', '').toWellFormed(),
          problem: null,
        })
      }
      response.on('data', (chunk: Buffer) => {
        if (read < mostKept) kept.push(chunk)
        read += chunk.length
        if (read < mostRead) return
        done()
        response.destroy()
      })
      response.on('end', done)
      response.on('error', (error) => resolve(failed(problemOf(error, timeout))))
    })
    sent.end(bytes)
  })
}
