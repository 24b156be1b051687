// npm run admin -- <email> [--remove | --pro | --no-pro]: makes a person an administrator, or gives Pro; or
// takes it back.
import { ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

await ensureInstalled()
process.exit(await run('node', ['scripts/set-role.ts', ...process.argv.slice(2)]))
