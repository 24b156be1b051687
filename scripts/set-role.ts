import { eq, type SQL, sql } from 'drizzle-orm'
import { users } from '../src/domains/accounts/tables.ts'
import { recordAct } from '../src/domains/administration/record-act.ts'
import type { Action } from '../src/domains/administration/rules.ts'
import { readConfig } from '../src/server/config.ts'
import { openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'

/** What is done to a person, and what is said when it is. */
const changes: Record<string, { action: Action; statement: (id: string) => SQL; done: string }> = {
  '': {
    action: 'make_admin',
    statement: (id) => sql`update users set role = 'admin' where id = ${id}`,
    done: 'is an administrator',
  },
  '--remove': {
    action: 'remove_admin',
    statement: (id) => sql`update users set role = 'user' where id = ${id}`,
    done: 'is no administrator any more',
  },
  '--pro': {
    action: 'give_pro',
    statement: (id) => sql`insert into plan_grants (user_id) values (${id})
                on conflict (user_id) do update set until = null`,
    done: 'has Pro',
  },
  '--no-pro': {
    action: 'take_pro',
    statement: (id) => sql`delete from plan_grants where user_id = ${id}`,
    done: 'has no Pro any more',
  },
}

const [email, option = ''] = process.argv.slice(2)
const change = changes[option]
if (!email || !change) {
  console.error(
    'Say whom: npm run admin -- person@example.com   (with --remove to take it back; --pro gives Pro, --no-pro takes it back)',
  )
  process.exit(1)
}

const config = readConfig(process.env)
// Beside a running Thunder its server is used; otherwise one is started for the moment.
const url =
  config.directDatabaseUrl ??
  config.databaseUrl ??
  (await runningPostgresUrl({ dataDir: config.dataDir }))
const own = url ? null : await startEmbeddedPostgres({ dataDir: config.dataDir })
const { db, pool } = openDatabase(url ?? own?.url ?? '', createLog(config.logLevel))
const changed = await db.transaction(async (transaction) => {
  const [person] = await transaction
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(eq(users.email, email.trim().toLowerCase()))
    .for('no key update')
  if (!person) return false
  const { statement, action } = change
  await transaction.execute(statement(person.id))
  const subject = { kind: 'account', id: person.id, name: person.name } as const
  await recordAct(transaction, { actorId: null, action, subject })
  return true
})
await pool.end()
await own?.stop()
console.log(changed ? `${email} ${change.done}.` : `Nobody here has the address ${email}.`)
process.exit(changed ? 0 : 1)
