import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

/** The application's role: it owns its databases but is no superuser, as on a managed PostgreSQL. */
export const APPLICATION_ROLE = 'thunder'

const POLL_MS = 20
const RECOVERY_MS = 10 * 60_000

/** Where a server listens, and the password of its roles. */
export interface Door {
  port: number
  password: string
}

/** sslmode is said so that PGSSLMODE in the environment cannot ask for what the server lacks. */
export function connectionString({ port, password }: Door, database: string): string {
  const credentials = `${APPLICATION_ROLE}:${password}`
  return `postgres://${credentials}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`
}

/** A connection as the superuser; the caller connects it and ends it. */
export function adminClient({ port, password }: Door): Client {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    // Said for the sake of PGSSLMODE and PGOPTIONS in the environment.
    ssl: false,
    options: '-c search_path=pg_catalog',
    connectionTimeoutMillis: 2_000,
  })
  // A server that ends under an open connection must not end us as well.
  client.on('error', () => {})
  return client
}

/**
 * Knocks until the server lets us in (`ready`), has ended, does not know our password (`stranger`)
 * or stays silent for `silenceMs`. While it says that it is recovering, it gets minutes.
 */
export async function waitUntilReady(
  door: Door,
  silenceMs: number,
  isRunning: () => Promise<boolean>,
  log: (line: string) => void,
): Promise<'ready' | 'ended' | 'silent' | 'stranger'> {
  const start = Date.now()
  let announced = false
  for (let patience = silenceMs; Date.now() - start < patience; await delay(POLL_MS)) {
    if (!(await isRunning())) return 'ended'
    const answer = await knock(door)
    if (answer === 'ready' || answer === 'stranger') return answer
    if (answer === 'silent') continue
    patience = RECOVERY_MS
    if (announced || Date.now() - start < 2_000) continue
    announced = true
    log('PostgreSQL is still putting its data in order; this can take some minutes.')
  }
  return 'silent'
}

/** `busy`: it is starting, recovering or stopping. */
async function knock(door: Door): Promise<'ready' | 'busy' | 'stranger' | 'silent'> {
  const client = adminClient(door)
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '57P03') return 'busy'
    return code === '28P01' || code === '28000' ? 'stranger' : 'silent'
  } finally {
    await client.end().catch(() => {})
  }
}
