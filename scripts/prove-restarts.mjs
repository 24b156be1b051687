// npm run prove:restarts: two nodes behind HAProxy, where there is one, are restarted ten times each under load.
import { existsSync } from 'node:fs'
import { ensureBuilt } from './prepare.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { run } from './run.mjs'

await ensureBuilt()
await ensureBrowser()
const hasHaproxy = existsSync('/usr/sbin/haproxy')
console.log(hasHaproxy ? 'Behind HAProxy.' : 'Behind the balancer of the tests: no HAProxy here.')
process.exit(
  await run(
    'playwright',
    ['test', 'test/journeys/restarts.spec.ts', '--workers', '1', ...process.argv.slice(2)],
    {
      env: {
        RESTART_ROUNDS: process.env.RESTART_ROUNDS ?? '10',
        ...(hasHaproxy && { JOURNEY_BALANCER: 'haproxy' }),
      },
    },
  ),
)
