// npm run demo: fills the database with believable creators, courses and learners, and prints logins.
import { ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

await ensureInstalled()
process.exit(await run('node', ['scripts/fill-demo.ts'], { env: { LOG_LEVEL: 'warn' } }))
