// npm run bench [-- --only load,weight,start]: measures Thunder against bare references on this machine.
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

await ensureInstalled()
await ensureBuilt()
process.exit(await run('node', ['bench/run.ts', ...process.argv.slice(2)]))
