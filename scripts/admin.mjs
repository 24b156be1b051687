// npm run admin -- <email> [--remove | --pro | --no-pro]: makes a person an administrator, or gives Pro; or
// takes it back.
import { ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'
import { refuseTakenByNpm } from './taken-by-npm.mjs'

const typed = process.argv.slice(2)
refuseTakenByNpm(['pro', 'remove'], `admin -- ${typed.join(' ')}`)
await ensureInstalled()
process.exit(await run('node', ['scripts/set-role.ts', ...typed]))
