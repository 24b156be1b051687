import type { PoolClient } from 'pg'
import { jobUnderWay } from '../src/server/jobs.ts'
import type { TestApp } from './app.ts'

/** Counts what the app asks its database to answer requests, statement by statement: jobs run when they will. */
export function watchStatements(app: TestApp) {
  let texts: string[] = []
  const watched = new WeakSet<PoolClient>()
  app.services.pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...all: unknown[]) => unknown
    client.query = ((...all: unknown[]) => {
      const [first] = all
      const text = typeof first === 'string' ? first : (first as { text?: string })?.text
      // What the mail catcher keeps came by SMTP, whenever it came.
      const isMail = text?.includes('caught_mails.')
      if (!jobUnderWay.getStore() && !isMail) texts.push(text ?? '')
      return query(...all)
    }) as typeof client.query
  })
  return {
    /** The statements that were sent while `work` ran. */
    async during(work: () => Promise<unknown>): Promise<string[]> {
      texts = []
      await work()
      return texts
    },
  }
}
