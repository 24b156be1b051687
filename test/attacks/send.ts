// Sends what fetch would mend or refuse: odd addresses, headers and lengths, over connections that are kept.
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { HostileRequest } from './hostile-requests.ts'

export interface RawAnswer {
  /** 0: the connection was closed without one, which a request that was cut deserves. */
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

const closed: RawAnswer = { status: 0, headers: {}, text: '' }

/** Half of it, then the end of the connection. */
function sendCut(origin: URL, { method, path, headers, body }: HostileRequest): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(Number(origin.port), origin.hostname)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => resolve(closed))
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1')
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
      resolve({ ...closed, status, text: text.slice(text.indexOf('\r\n\r\n') + 4) })
    })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const length = (body?.length ?? 0) + 100
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: ${origin.host}\r\n${lines.join('')}content-length: ${length}\r\n\r\n`,
      'latin1',
    )
    socket.end(body?.subarray(0, body.length / 2) ?? '')
  })
}

export function send(origin: string, hostile: HostileRequest): Promise<RawAnswer> {
  const url = new URL(origin)
  if (hostile.isCut) return sendCut(url, hostile)
  const { method, path, headers, body } = hostile
  const length = headers['transfer-encoding'] ? {} : { 'content-length': String(body?.length ?? 0) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        host: url.hostname,
        port: url.port,
        method,
        path,
        headers: { ...headers, ...(body || method !== 'GET' ? length : {}) },
      },
      (response) => {
        const done = (text: string) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        // It would go on for ever.
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          response.destroy()
          done('')
          return
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => done(Buffer.concat(chunks).toString()))
        response.on('error', reject)
      },
    )
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
      // The connection had been kept for too long; whoever sends on one does so once more.
      else if (request.reusedSocket) resolve(send(origin, hostile))
      else resolve(closed)
    })
    // An upgrade that nobody answers.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' })
    })
    request.end(body)
  })
}

export const endConnections = () => agent.destroy()
