// The real app over HTTP on a database of its own, for one test file.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { inject } from 'vitest'
import { createApp } from '../src/server/app.ts'
import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { createLog, type Log } from '../src/server/log.ts'
import type { Services } from '../src/server/services.ts'
import { copyOfTemplate } from './database-copy.ts'
import { objectStoreVariables } from './object-store.ts'
import { holdSchedule } from './schedule.ts'

export interface Answer {
  status: number
  // What a call answers is asserted on, not trusted: each test says what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  headers: Headers
}

export interface Person {
  id: string
  name: string
  email: string
  cookie: string
}

export interface TestApp {
  url: string
  /** Of its database, without a pooler. */
  databaseUrl: string
  services: Services
  request(
    path: string,
    options?: { method?: string; body?: unknown; cookie?: string; headers?: HeadersInit },
  ): Promise<Answer>
  /** Signs up through the API, as a browser would. */
  signUp(person?: { name?: string; email?: string }): Promise<Person>
  stop(): Promise<void>
}

/** The variables for a database of the tests, with the pooler before it when there is one. */
function databaseVariables(direct: string): Record<string, string> {
  const isOfTests =
    process.env.TEST_POOLER && new URL(direct).port === new URL(inject('templateUrl')).port
  if (!isOfTests) return { DATABASE_URL: direct }
  const pooled = new URL(direct)
  pooled.port = String(inject('poolerPort'))
  return { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: direct }
}

/** With DATABASE_URL it is one more node of an app that stands. The clock begins none of its jobs: see `schedule.ts`. */
export async function startTestApp(
  environment: Record<string, string> = {},
  log?: Log,
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'thunder-app-'))
  const databaseUrl = environment.DATABASE_URL ?? (await copyOfTemplate())
  const database = new URL(databaseUrl).pathname.slice(1)
  const config = readConfig({
    // Nodes of one database share their files.
    ...(await objectStoreVariables(database.replaceAll('_', '-'))),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    APP_URL: 'http://localhost:3000',
    // Only the tests that are about it convert videos.
    FFMPEG_PATH: 'off',
    ...environment,
    ...databaseVariables(databaseUrl),
  })
  const running = await boot(config, log ?? createLog(config.logLevel))
  await holdSchedule(running.services.pool)
  const app = createApp(running.services)
  const server = serve({
    fetch: app.fetch,
    port: 0,
    hostname: '127.0.0.1',
    // As in the product: a test that keeps the process busy finds its connection again.
    serverOptions: { keepAliveTimeout: 75_000 },
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  running.services.payments.sandbox?.deliverTo(`${url}/webhooks/stripe`)

  const request: TestApp['request'] = async (path, { method, body, cookie, headers } = {}) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
      redirect: 'manual',
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: json ? JSON.parse(text) : text,
    }
  }

  let people = 0
  return {
    url,
    databaseUrl,
    services: running.services,
    request,
    async signUp(person = {}) {
      const name = person.name ?? `Person ${++people}`
      const email = person.email ?? `${randomUUID()}@example.com`
      const { headers, body, status } = await request('/auth/v1/sign-up/email', {
        body: { name, email, password: 'correct horse' },
      })
      if (status !== 200) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`)
      const cookie = headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
      return { id: body.user.id, name, email, cookie }
    },
    async stop() {
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
