// Fetches one address as a browser would and looks into the answer.
import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Address, methodOf } from './load.ts'

// A connection that waits while others are measured is closed by its server, perhaps just as it is used again.
const agent = new Agent({ keepAlive: false, maxSockets: 16 })

interface Answer {
  status: number
  text: string
  /** Bytes on the wire, headers included. */
  bytes: number
  encoding: string
}

export function ask(origin: string, address: Address): Promise<Answer> {
  const { path, cookie, body } = address
  const headers = {
    accept: 'text/html,application/json',
    'accept-encoding': 'gzip, deflate, br',
    ...(cookie && { cookie }),
    ...(body && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    request(origin + path, { agent, headers, method: methodOf(address) }, (response) => {
      const head = response.rawHeaders.reduce((sum, part) => sum + part.length + 2, 17)
      buffer(response).then((bytes) => {
        const encoding = response.headers['content-encoding'] ?? ''
        const plain =
          encoding === 'br'
            ? brotliDecompressSync(bytes)
            : encoding === 'gzip'
              ? gunzipSync(bytes)
              : bytes
        resolve({
          status: response.statusCode ?? 0,
          text: plain.toString(),
          bytes: head + bytes.length,
          encoding,
        })
      }, reject)
    })
      .on('error', reject)
      .end(body)
  })
}

export interface Expected extends Address {
  /** Each of these has to be in the answer. */
  texts: string[]
}

/**
 * Asks for all of them, 16 at once, and looks for what each has to show.
 * @returns the average bytes of an answer
 * @throws {Error} naming the first wrong answer
 */
export async function checkAll(origin: string, expected: Expected[]): Promise<number> {
  let bytes = 0
  const waiting = expected.values()
  const worker = async () => {
    for (const address of waiting) {
      const answer = await ask(origin, address)
      const missing = address.texts.find((text) => !answer.text.includes(text))
      if (answer.status !== 200 || missing !== undefined) {
        throw new Error(
          `${address.path} answered ${answer.status} without ${JSON.stringify(missing)}: ${answer.text.slice(0, 300)}`,
        )
      }
      bytes += answer.bytes
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return bytes / expected.length
}
