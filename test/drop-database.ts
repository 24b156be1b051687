import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError, type Client, type Pool } from 'pg'
import { patience } from './patience.ts'

/** PostgreSQL's `object_in_use`. */
const isInUse = (error: unknown) => error instanceof DatabaseError && error.code === '55006'

/**
 * Ends what is left of its sessions, too. Not `with (force)`: that is refused to who is no superuser whenever PostgreSQL
 * itself is just then cleaning the database up. Without, it gives way.
 * @throws when somebody is in it for good
 */
export async function dropDatabase(administration: Client | Pool, name: string): Promise<void> {
  const end = Date.now() + patience.timeout
  for (;;) {
    await administration.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user`,
      [name],
    )
    try {
      await administration.query(`drop database if exists ${name}`)
      return
    } catch (error) {
      if (!isInUse(error) || Date.now() > end) throw error
      await wait(patience.interval)
    }
  }
}
