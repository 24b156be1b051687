// npm start: installs, builds, and serves Thunder.
import { endWithNpm } from './end-with-npm.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

endWithNpm()
await ensureInstalled()
await ensureBuilt()
// What Node compiled of the server's many files is kept for the next start.
const env = { NODE_ENV: 'production', NODE_COMPILE_CACHE: 'node_modules/.cache/thunder/compiled' }
process.exit(await run('node', ['build/server/index.js'], { env }))
