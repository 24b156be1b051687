import { Pool } from 'pg'
import { readConfig } from '../src/server/config.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'

/** What is done to the person `$1`, and what is said when it is. */
const changes: Record<string, { statement: string; done: string }> = {
  '': { statement: `update users set role = 'admin' where id = $1`, done: 'is an administrator' },
  '--remove': {
    statement: `update users set role = 'user' where id = $1`,
    done: 'is no administrator any more',
  },
  '--pro': {
    statement: `insert into plan_grants (user_id) values ($1)
                on conflict (user_id) do update set until = null`,
    done: 'has Pro',
  },
  '--no-pro': {
    statement: 'delete from plan_grants where user_id = $1',
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
const url = config.databaseUrl ?? (await runningPostgresUrl({ dataDir: config.dataDir }))
const own = url ? null : await startEmbeddedPostgres({ dataDir: config.dataDir })
const pool = new Pool({ connectionString: url ?? own?.url })
pool.on('error', () => {})
const { rows } = await pool.query<{ id: string }>('select id from users where email = $1', [
  email.trim().toLowerCase(),
])
if (rows[0]) await pool.query(change.statement, [rows[0].id])
await pool.end()
await own?.stop()
console.log(rows[0] ? `${email} ${change.done}.` : `Nobody here has the address ${email}.`)
process.exit(rows[0] ? 0 : 1)
