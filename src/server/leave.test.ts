// How a node leaves: whom it still serves, for how long, and how what is under way ends.
import { Agent, type IncomingMessage, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../test/app.ts'
import { createApp } from './app.ts'
import { leave } from './leave.ts'

let app: TestApp
let person: Person
let server: Server
let port: number
beforeEach(async () => {
  app = await startTestApp({ JOBS: 'off' })
  onTestFinished(() => app.stop())
  person = await app.signUp()
  server = serve({ fetch: createApp(app.services).fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})

const begin = (drainSeconds: number, hurry: AbortSignal) =>
  leave({ server, services: app.services, stopWork: async () => {}, drainSeconds }, hurry)

/** On a connection of its own, which the client would keep. */
function ask(path: string, headers: Record<string, string> = {}) {
  const answer = Promise.withResolvers<IncomingMessage>()
  const agent = new Agent({ keepAlive: true })
  send({ port, path, headers, agent }, answer.resolve).on('error', answer.reject).end()
  return answer.promise
}

/** A log-in of which half is there; `finish` sends the rest. */
async function halfOfACall() {
  const answer = Promise.withResolvers<IncomingMessage>()
  const body = JSON.stringify({ email: person.email, password: 'correct horse' })
  const headers = { 'content-type': 'application/json' }
  const path = '/auth/v1/sign-in/email'
  const call = send({ port, method: 'POST', path, headers }, answer.resolve)
  call.on('error', answer.reject)
  const taken = new Promise((resolve) => server.once('request', resolve))
  call.write(body.slice(0, 5))
  await taken
  return { answer: answer.promise, finish: () => call.end(body.slice(5)) }
}

test('it serves on until balancers know; then what is under way ends, in order', async () => {
  const call = await halfOfACall()
  const stream = await ask('/realtime/v1/events', { cookie: person.cookie })
  expect(stream.statusCode).toBe(200)
  const streamed = readText(stream)

  const hurry = new AbortController()
  const leaving = begin(600, hurry.signal)
  expect((await ask('/readyz')).statusCode).toBe(503)
  const served = await ask('/healthz')
  expect([served.statusCode, served.headers.connection]).toEqual([200, 'close'])

  hurry.abort()
  // Ended: what is cut is an error.
  await streamed
  await expect(ask('/healthz')).rejects.toThrow('ECONNREFUSED')
  call.finish()
  const answer = await call.answer
  expect(JSON.parse(await readText(answer))).toMatchObject({ user: { id: person.id } })
  await leaving
})

test('what does not end is cut, so that a stop always ends', async () => {
  const call = await halfOfACall()
  const cut = expect(call.answer).rejects.toThrow('socket hang up')
  await begin(0, new AbortController().signal)
  await cut
})

test('it leaves also while the database says nothing more, and its work does not end', async () => {
  const warn = vi.spyOn(app.services.log, 'warn')
  const never = new Promise<void>(() => {})
  const leaving = { server, services: app.services, drainSeconds: 0, workPatience: 20 }
  await leave({ ...leaving, stopWork: () => never }, new AbortController().signal)
  expect(warn).toHaveBeenCalledWith('what is worked on does not end: others begin it again')
})
