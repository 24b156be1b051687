// npm run prove:crashes: kill -9 of the app and of PostgreSQL, 1,000 times under writes; another number after --.
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

await ensureInstalled()
await ensureBuilt()
const crashes = process.argv[2] ?? '1000'
// Ctrl-C ends the test, which ends what it runs on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
process.exit(
  await run('playwright', ['test', 'crashes', '--workers', '1'], { env: { CRASHES: crashes } }),
)
