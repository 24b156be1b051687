// npm run screens: pictures of every screen, in both themes and three widths, in screens/. With --pictures
// those of the product that its own pages and the README show.
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

await ensureInstalled()
await ensureBuilt()
const words = process.argv.slice(2)
const script = words[0] === '--pictures' ? 'take-pictures' : 'take-screens'
const names = words.filter((word) => word !== '--pictures')
process.exit(await run('node', [`scripts/${script}.ts`, ...names]))
