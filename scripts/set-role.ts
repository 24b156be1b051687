import { eq, type SQL, sql } from 'drizzle-orm'
import { users } from '../src/domains/accounts/tables.ts'
import { recordAct } from '../src/domains/administration/record-act.ts'
import type { Action } from '../src/domains/administration/rules.ts'
import { planOf } from '../src/domains/billing/plan.ts'
import { openOwnDatabase } from '../src/operation/own-database.ts'
import { runCommand } from '../src/operation/run-command.ts'
import { readConfig } from '../src/server/config.ts'
import { type Db, openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'

/** What is done to a person, and what is said when it is. */
interface Change {
  action: Action
  statement: (id: string) => SQL
  done: string
}

const changes: Record<string, Change> = {
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

/** Answers with what is to be said of it; null when there is no such person. */
const makeChange = (db: Db, email: string, { action, statement, done }: Change) =>
  db.transaction(async (transaction) => {
    const [person] = await transaction
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(eq(users.email, email.trim().toLowerCase()))
      .for('no key update')
    if (!person) return null
    const { rowCount } = await transaction.execute(statement(person.id))
    const subject = { kind: 'account', id: person.id, name: person.name } as const
    if (rowCount) await recordAct(transaction, { actorId: null, action, subject })
    const isPaidFor = action === 'take_pro' && (await planOf(transaction, person.id)) === 'pro'
    return isPaidFor ? 'keeps Pro, which is paid for' : done
  })

await runCommand(async (started) => {
  const [email, option = ''] = process.argv.slice(2)
  const change = changes[option]
  if (!email || !change) {
    throw new Error(
      'Say whom: npm run admin -- person@example.com   (with --remove to take it back; --pro gives Pro, --no-pro takes it back)',
    )
  }
  const url = await openOwnDatabase(started, readConfig(process.env))
  const { db, pool } = openDatabase(url, createLog('silent'))
  const said = await makeChange(db, email, change).finally(() => pool.end())
  console.log(said ? `${email} ${said}.` : `Nobody here has the address ${email}.`)
  return said ? 0 : 1
})
