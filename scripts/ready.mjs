// npm run ready: installs and builds what is missing or stale, and starts nothing.
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { must } from './run.mjs'

await ensureInstalled()
await must('node', ['scripts/set-up-postgres.ts'])
await ensureBuilt()
