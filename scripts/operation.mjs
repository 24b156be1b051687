// npm run backup -- <new folder> | restore -- <backup> | doctor | payment-mode -- <mode> | sql -- "<statement>": what whoever runs this Thunder needs.
import { ensureInstalled } from './prepare.mjs'
import { run } from './run.mjs'

await ensureInstalled()
process.exit(await run('node', ['src/operation/command.ts', ...process.argv.slice(2)]))
