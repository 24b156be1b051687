// npm start: installs, builds, and serves Thunder.
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

// A SIGTERM to npm ends npm and its shell and reaches nobody else: without them we stop, too.
const parent = process.ppid
if (process.env.npm_lifecycle_event === 'start') {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
}

await ensureInstalled()
await ensureBuilt()
process.exit(await run('node', ['build/server/index.js'], { env: { NODE_ENV: 'production' } }))
