import type { Pool } from 'pg'

/** Remembers the rows of these tables, parents first. @returns what puts those back that are gone meanwhile */
export async function keepRows(
  pool: Pool,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  for (const table of tables) await pool.query(`create table kept_${table} as table ${table}`)
  return async () => {
    for (const table of tables) {
      await pool.query(`insert into ${table} select * from kept_${table} on conflict do nothing`)
    }
  }
}
