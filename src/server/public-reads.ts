import { AsyncLocalStorage } from 'node:async_hooks'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import * as tables from '../tables.ts'
import type { Replica } from './replica.ts'
import { openReplicas } from './replicas.ts'
import type { Services } from './services.ts'

/** Everything but what is made here. */
type Base = Omit<Services, 'publicReads'>

/** What signed-out visitors read; see docs/decisions/026-read-replicas.md. */
export interface PublicReads {
  base: Base
  /** The same services, whose `pool` and `db` read from a replica within `through`. */
  services: Services
  /**
   * Within `work` they show at least what was committed before its first statement: all statements go to one
   * replica that has it, and from the first that fails there to the primary.
   */
  through<Result>(work: () => Result): Result
  /** How many statements the primary answered. */
  readonly primaryReads: number
  readonly replicas: readonly Replica[]
  stop(): Promise<void>
}

/** Where the statements of one request go; found by the first of them. */
interface Target {
  replica?: Promise<Replica | null>
}

function allFromPrimary(base: Base): PublicReads {
  const publicReads: PublicReads = {
    base,
    services: { ...base } as Services,
    through: (work) => work(),
    primaryReads: 0,
    replicas: [],
    stop: async () => {},
  }
  publicReads.services.publicReads = publicReads
  return publicReads
}

export async function openPublicReads(base: Base, urls: readonly string[]): Promise<PublicReads> {
  if (urls.length === 0) return allFromPrimary(base)
  const { pool: primary, log, config } = base
  const replicas = await openReplicas(urls, {
    primary,
    log,
    prepared: config.preparedStatements,
  })
  const targets = new AsyncLocalStorage<Target>()
  let primaryReads = 0

  const query = async (...statement: Parameters<Pool['query']>) => {
    const target = targets.getStore()
    if (!target) return primary.query(...statement)
    const replica = await (target.replica ??= replicas.current().catch(() => null))
    if (replica) {
      try {
        const answer = await replica.pool.query(...statement)
        replica.reads += 1
        return answer
      } catch (error) {
        // What comes next may rely on what the primary answers now, which no replica need have.
        target.replica = Promise.resolve(null)
        replica.failed(error)
      }
    }
    primaryReads += 1
    return primary.query(...statement)
  }
  // Transactions, which take a connection, stay on the primary.
  const pool = new Proxy(primary, {
    get(one, key) {
      if (key === 'query') return query
      const value: unknown = Reflect.get(one, key)
      return typeof value === 'function' ? value.bind(one) : value
    },
  })

  const publicReads: PublicReads = {
    base,
    services: { ...base, pool, db: drizzle(pool, { schema: tables }) } as Services,
    through: (work) => (targets.getStore() ? work() : targets.run({}, work)),
    get primaryReads() {
      return primaryReads
    },
    replicas: replicas.all,
    stop: replicas.stop,
  }
  publicReads.services.publicReads = publicReads
  return publicReads
}
