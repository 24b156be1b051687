// npm run ready: installs and builds what is missing or stale, and starts nothing.
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

await ensureInstalled()
await ensureBuilt()
