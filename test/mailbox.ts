// What the app has sent, as its receivers see it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import type { CaughtMail } from '../src/server/caught-mails.ts'
import type { TestApp } from './app.ts'
import { patience } from './patience.ts'

/** The newest mail to this address with this subject, once there is one that is newer than `after`. */
export function mailTo(
  app: TestApp,
  to: string,
  subject: RegExp,
  after: Pick<CaughtMail, 'id'> = { id: 0 },
): Promise<CaughtMail> {
  return vi.waitFor(async () => {
    const mails = await mailsTo(app, to)
    const mail = mails.find((one) => subject.test(one.subject) && one.id > after.id)
    if (!mail) throw new Error(`no mail about ${subject} to ${to} yet`)
    return mail
  }, patience)
}

export const mailsTo = async (app: TestApp, to: string): Promise<CaughtMail[]> =>
  ((await app.services.mail.outbox?.()) ?? []).filter((mail) => mail.to === to)

/** The link that the mail is about. */
export function linkIn(mail: CaughtMail): URL {
  const [link] = /http\S+\?token=\S+/.exec(mail.text) ?? []
  if (!link) throw new Error(`no link in the mail “${mail.subject}”`)
  return new URL(link)
}

export const tokenIn = (mail: CaughtMail) => linkIn(mail).searchParams.get('token')!

/** The six digits in a mail or a text message. */
export function codeIn(text: string): string {
  const [code] = /\b\d{6}\b/.exec(text) ?? []
  if (!code) throw new Error('no code in the message')
  return code
}

/** All jobs are done, or waiting for another try. */
export const jobsDone = (app: TestApp) =>
  vi.waitFor(async () => {
    const { rows } = await app.services.pool.query(
      `select task_identifier, attempts, locked_at, run_at, now(), last_error,
                (select json_agg(json_build_array(wait_event_type, wait_event, now() - query_start, query))
                   from pg_stat_activity where datname = current_database() and state <> 'idle') as statements
           from graphile_worker.jobs where attempts = 0 or locked_at is not null`,
    )
    if (rows.length > 0) throw new Error(`still at work: ${JSON.stringify(rows)}`)
  }, patience)

/** A text message gateway, as an operator would put behind SMS_WEBHOOK_URL. */
export async function startSmsGateway() {
  const taken: { to: string; text: string }[] = []
  /** Statuses of the next answers; then every message is taken. */
  const refusals: number[] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      const refusal = refusals.shift()
      if (refusal === undefined) taken.push(JSON.parse(body))
      response.writeHead(refusal ?? 202).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages`,
    taken,
    refusals,
    /** The newest message to this number, once there are this many. */
    textTo: (to: string, count = 1) =>
      vi.waitFor(() => {
        const texts = taken.filter((message) => message.to === to)
        if (texts.length < count) throw new Error(`${texts.length} of ${count} messages to ${to}`)
        return texts.at(-1)!.text
      }, patience),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
