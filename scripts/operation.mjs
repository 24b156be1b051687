// npm run backup -- <new folder> | restore -- <backup> | doctor | payment-mode -- <mode> | sql -- "<statement>": what whoever runs this Thunder needs.
import { ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'
import { refuseTakenByNpm } from './taken-by-npm.mjs'

const typed = process.argv.slice(2)
const [command, ...more] = typed
// Not `--json`: that is npm's own as well, and may stand in its configuration.
refuseTakenByNpm(['files', 'without-secret'], [command, '--', ...more].join(' '))
await ensureInstalled()
process.exit(await run('node', ['src/operation/command.ts', ...typed]))
