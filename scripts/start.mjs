// npm start: installs, builds, and serves Thunder.
import { endWithNpm } from './end-with-npm.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

endWithNpm()
await ensureInstalled()
await ensureBuilt()
process.exit(await run('node', ['build/server/index.js'], { env: { NODE_ENV: 'production' } }))
