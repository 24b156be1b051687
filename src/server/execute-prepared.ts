import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Executor } from './db.ts'

const dialect = new PgDialect()
const names = new Map<string, string>()

/** There is one for each place that calls; more would be texts that change, each of which a connection would keep. */
const mostNames = 200

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= mostNames) return known
  const name = `prepared-${names.size + 1}`
  names.set(text, name)
  return name
}

/**
 * `execute` for a statement that is sent often: a connection parses and plans it once. Only its parameters may change
 * from one time to the next, never its text.
 */
export async function executePrepared<Row>(
  executor: Executor,
  statement: SQL,
): Promise<{ rows: Row[] }> {
  const query = dialect.sqlToQuery(statement)
  const prepared = executor._.session.prepareQuery(query, undefined, nameOf(query.sql), false)
  return (await prepared.execute()) as { rows: Row[] }
}
