import { Client } from 'pg'
import { runningPostgresUrl } from '../src/server/postgres/embedded.ts'
import type { BuiltServer } from '../test/journeys/server.ts'

/** What the scripts do on a server in the name of people whom they have names for. */
export function actingOn<Person>(server: () => Pick<BuiltServer, 'url' | 'dataDir'>) {
  const cookies = new Map<Person, string>()
  return {
    cookies,

    /** One call of the API, as this person, who stays signed in. */
    async call(as: Person, method: string, path: string, body?: unknown) {
      const { url } = server()
      const answer = await fetch(url + path, {
        method,
        headers: {
          'content-type': 'application/json',
          origin: url,
          cookie: cookies.get(as) ?? '',
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      if (!answer.ok) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      }
      const cookie = answer.headers.getSetCookie().find((one) => one.includes('session_token='))
      if (cookie) cookies.set(as, cookie.split(';')[0] ?? '')
      return answer.json()
    },

    async inDatabase(statement: string, values: unknown[] = []) {
      const connectionString = await runningPostgresUrl({ dataDir: server().dataDir })
      const database = new Client({ connectionString })
      await database.connect()
      await database.query(statement, values)
      await database.end()
    },
  }
}
