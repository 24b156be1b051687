import { Pool } from 'pg'
import { readConfig } from '../src/server/config.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'

const [email, option] = process.argv.slice(2)
if (!email || (option && option !== '--remove')) {
  console.error('Say whom: npm run admin -- person@example.com   (with --remove to take it back)')
  process.exit(1)
}

const config = readConfig(process.env)
// Beside a running Thunder its server is used; otherwise one is started for the moment.
const url = config.databaseUrl ?? (await runningPostgresUrl({ dataDir: config.dataDir }))
const own = url ? null : await startEmbeddedPostgres({ dataDir: config.dataDir })
const pool = new Pool({ connectionString: url ?? own?.url })
pool.on('error', () => {})
const role = option ? 'user' : 'admin'
const { rowCount } = await pool.query('update users set role = $1 where email = $2', [
  role,
  email.trim().toLowerCase(),
])
await pool.end()
await own?.stop()
console.log(
  rowCount === 1
    ? `${email} is ${role === 'admin' ? 'an administrator' : 'no administrator any more'}.`
    : `Nobody here has the address ${email}.`,
)
process.exit(rowCount === 1 ? 0 : 1)
