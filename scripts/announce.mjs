// npm run announce -- "<title>" "<message>" [--href /path]: tells everybody, as each of them chose.
import { ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'
import { refuseTakenByNpm } from './taken-by-npm.mjs'

refuseTakenByNpm(['href'], 'announce -- "A title" "A message"')
await ensureInstalled()
process.exit(await run('node', ['scripts/tell-everybody.ts', ...process.argv.slice(2)]))
