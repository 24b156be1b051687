import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Executor } from './db.ts'
import { nameOfStatement } from './statement-names.ts'

const dialect = new PgDialect()

/**
 * `execute` for a statement that is sent often: a connection parses and plans it once. Only its parameters may change
 * from one time to the next, never its text.
 */
export async function executePrepared<Row>(
  executor: Executor,
  statement: SQL,
): Promise<{ rows: Row[] }> {
  const query = dialect.sqlToQuery(statement)
  const prepared = executor._.session.prepareQuery(
    query,
    undefined,
    nameOfStatement(query.sql),
    false,
  )
  return (await prepared.execute()) as { rows: Row[] }
}
