// npm run screens: pictures of every screen, in both themes and two widths, in screens/.
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

await ensureInstalled()
await ensureBuilt()
process.exit(await run('node', ['scripts/take-screens.ts', ...process.argv.slice(2)]))
