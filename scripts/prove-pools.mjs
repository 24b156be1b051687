// npm run prove:pools: all unit and API tests with Debian's PgBouncer in transaction mode before PostgreSQL.
// What is named after -- is run alone: npm run prove:pools -- src/domains/courses
import { existsSync } from 'node:fs'
import { install } from './debian.mjs'
import { run } from './run.mjs'

const program = '/usr/sbin/pgbouncer'

/** False where there is neither PgBouncer nor a way to install it. */
async function ensurePooler() {
  if (existsSync(program)) return true
  await install('PgBouncer for the tests', ['pgbouncer'])
  return existsSync(program)
}

if (!(await ensurePooler())) {
  console.log('skipped: no PgBouncer here (Debian’s needs apt and root to be installed)')
  process.exit(0)
}
// Ctrl-C ends the tests, which end what they run on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
process.exit(
  await run('vitest', ['run', ...process.argv.slice(2)], { env: { TEST_POOLER: program } }),
)
