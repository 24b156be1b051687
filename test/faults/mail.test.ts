// The mail server is slow, refuses, hangs or is gone: nobody who writes notices, and each mail comes once.
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { startLine, type Trouble } from '../cut-line.ts'
import { makePerson } from '../factories.ts'
import { patience } from '../patience.ts'
import { faultLimits, startLoad } from './load.ts'

vi.setConfig(faultLimits)

let app: TestApp
let line: Awaited<ReturnType<typeof startLine>>
/** Of each mail that the server has taken: to whom. */
const taken: string[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  async onData(stream, _session, done) {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const mail = await PostalMime.parse(Buffer.concat(chunks))
    taken.push(mail.to?.[0]?.address ?? '')
    done()
  },
})
// A line that breaks is what this is about.
server.on('error', () => {})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  line = await startLine(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`)
  app = await startTestApp({ SMTP_URL: line.url, EMAIL_CONFIRMATION: 'off' })
})
afterAll(async () => {
  await app?.stop()
  await line?.cut()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

const asksForReset = (email: string) =>
  app.request('/auth/v1/request-password-reset', { body: { email } })

/** What failed is tried now, as an administrator can have it. */
const tryAgain = () =>
  app.services.pool.query(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now() and attempts > 0',
  )

const countsOf = (people: { email: string }[]) =>
  people.map(({ email }) => taken.filter((to) => to === email).length)

const faults: [string, { isFelt: boolean; begin(): Promise<void>; heal(): Promise<void> }][] = (
  [
    ['slow', { later: 300 }],
    ['refusing everybody', { greets: '421 4.3.2 Not now\r\n' }],
    ['hanging', 'hangs'],
  ] as [string, Trouble][]
).map(([name, trouble]) => [
  name,
  {
    isFelt: name !== 'slow',
    begin: async () => line.trouble(trouble),
    heal: async () => line.trouble('none'),
  },
])
faults.push(['gone', { isFelt: true, begin: () => line.cut(), heal: () => line.mend() }])

test.each(faults)('a mail server that is %s', async (_name, { isFelt, begin, heal }) => {
  const load = await startLoad(app)
  const people = await Promise.all(
    Array.from({ length: 6 }, () =>
      makePerson(app.services, { email: `${randomUUID()}@example.com` }),
    ),
  )
  await load.acknowledges(20)
  await begin()
  for (const { email } of people) {
    const { status, body } = await asksForReset(email)
    expect([status, body.status]).toEqual([200, true])
  }
  const newcomer = await app.signUp()
  await load.acknowledges(60)
  if (isFelt) expect(countsOf([...people, newcomer])).toEqual([0, 0, 0, 0, 0, 0, 0])
  await heal()
  await vi.waitFor(async () => {
    await tryAgain()
    expect(countsOf([...people, newcomer])).not.toContain(0)
  }, patience)
  // Nothing is left that could come a second time.
  await vi.waitFor(async () => {
    await tryAgain()
    const { rows } = await app.services.pool.query(
      `select task_identifier from graphile_worker.jobs where task_identifier ~* 'mail'`,
    )
    expect(rows).toEqual([])
  }, patience)
  expect(countsOf(people)).toEqual([1, 1, 1, 1, 1, 1])
  expect(countsOf([newcomer])).toEqual([1])
  await load.end()
})
