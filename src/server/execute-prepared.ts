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
  return queryPrepared(executor, {
    name: nameOfStatement(query.sql),
    text: query.sql,
    values: query.params,
  })
}

/** The same for a statement that has a name and is written as text. Times are answered as texts. */
export async function queryPrepared<Row>(
  executor: Executor,
  { name, text, values }: { name: string | undefined; text: string; values: unknown[] },
): Promise<{ rows: Row[] }> {
  const prepared = executor._.session.prepareQuery(
    { sql: text, params: values },
    undefined,
    name,
    false,
  )
  return (await prepared.execute()) as { rows: Row[] }
}
