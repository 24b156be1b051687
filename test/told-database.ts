// A database that answers what it is told to, for tests of what is asked, of how often and of what follows from an answer.
// That PostgreSQL answers so is tested on a real one.
import type { Pool } from 'pg'
import type { Db } from '../src/server/db.ts'

interface Statement {
  /** Where it is prepared. */
  name?: string
  text: string
  values?: unknown[]
}

/** A statement, its text with single spaces. */
export type Asked = Required<Omit<Statement, 'name'>> & Pick<Statement, 'name'>

export function toldDatabase(rowsFor: (asked: Asked) => object[]) {
  const asked: Asked[] = []
  const query = async ({ name, text, values = [] }: Statement, given = values) => {
    const one = { ...(name && { name }), text: text.replaceAll(/\s+/g, ' ').trim(), values: given }
    asked.push(one)
    return { rows: rowsFor(one) }
  }
  // Without a name it is sent as text.
  const pool = {
    query: (first: Statement | string, given?: unknown[]) =>
      query(typeof first === 'string' ? { text: first } : first, given),
  } as unknown as Pool
  // For what asks the pool; `drizzle` makes one of it that does more.
  return { asked, pool, db: { $client: pool } as Db }
}
