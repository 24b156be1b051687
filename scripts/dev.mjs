// npm run dev: the same app from its sources, with hot reload, on the same embedded database.
import { ensureInstalled } from './prepare.mjs'
import { must, run } from './run.mjs'

await ensureInstalled()
await must('node', ['scripts/subset-fonts.mjs'])
process.exit(await run('node', ['scripts/dev-server.mjs'], { env: { NODE_ENV: 'development' } }))
