// npm start: installs, builds, and serves Thunder.
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

await ensureInstalled()
await ensureBuilt()
process.exit(await run('node', ['build/server/index.js'], { env: { NODE_ENV: 'production' } }))
