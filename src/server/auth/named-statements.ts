import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, QueryConfig } from 'pg'
import { accountRelations } from '../../domains/accounts/relations.ts'
import * as tables from '../../domains/accounts/tables.ts'
import { nameOfStatement } from '../statement-names.ts'

/** Drizzle takes for a pool what is called one. */
class NamedStatementsPool {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  query(statement: QueryConfig, values: unknown[]) {
    const name = nameOfStatement(statement.text)
    return this.#pool.query(name === undefined ? statement : { ...statement, name }, values)
  }

  /** What belongs to a transaction has no names. */
  connect() {
    return this.#pool.connect()
  }
}

/**
 * The database as the library of accounts sees it: its statements get names, so that PostgreSQL reads and plans each
 * of them once per connection. Planning was most of what the database did for a log-in.
 */
export const withNamedStatements = (pool: Pool) =>
  drizzle(new NamedStatementsPool(pool) as unknown as Pool, {
    schema: { ...tables, ...accountRelations },
  })
