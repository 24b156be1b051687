// Fills the table of notifications: 100 for each of many people, and very many for one.
import type { Client } from 'pg'

const idOf = (number: number | string) =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

export const noticesEach = 100

/** Persons 1 to `readers` of the seed have 100 each, the person after them has `own`. */
export async function seedNotices(client: Client, readers: number, own: number): Promise<void> {
  const row = (person: string, n: string) =>
    `select ${idOf(person)}, 'Notice ' || ${n}, 'Something happened in a course of yours.', 'info', ${n} % 10 <> 0,
            now() - ${n} * interval '1 minute'`
  const columns = '(user_id, title, message, type, read, created_at)'
  const statements = [
    `insert into notifications ${columns}
     ${row('p', 'n')} from generate_series(1, ${noticesEach}) n, generate_series(1, ${readers}) p`,
    `insert into notifications ${columns}
     ${row(String(readers + 1), 'n')} from generate_series(1, ${own}) n`,
    'vacuum analyze notifications',
  ]
  for (const statement of statements) await client.query(statement)
}
