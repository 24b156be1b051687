// npm run prove:nodes: the journeys on two nodes behind HAProxy, with files in an object store where there is one.
import { existsSync } from 'node:fs'
import { install } from './debian.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { ensureFfmpeg } from './ffmpeg.mjs'
import { ensureBuilt } from './prepare.mjs'
import { run } from './run.mjs'
import { ensureSwift, startSwift } from './swift.mjs'

const isInstalled = () => existsSync('/usr/sbin/haproxy')

/** False where there is neither HAProxy nor a way to install it. */
async function ensureHaproxy() {
  if (isInstalled()) return true
  await install('HAProxy for the tests', ['haproxy'])
  return isInstalled()
}

if (!(await ensureHaproxy())) {
  console.log('skipped: no HAProxy here (it needs apt and root to be installed)')
  process.exit(0)
}
await ensureFfmpeg()
await ensureBuilt()
await ensureBrowser()
const hasSwift = await ensureSwift()
console.log(hasSwift ? 'Files: in an object store.' : 'Files: in a folder that both nodes have.')
const swift = hasSwift ? await startSwift() : null
// Ctrl-C ends the tests, and then what they ran on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
let code = 1
try {
  // One worker, unless asked otherwise: it has two nodes, a balancer and a browser at work.
  code = await run('playwright', ['test', '--workers', '1', ...process.argv.slice(2)], {
    env: {
      JOURNEY_NODES: '2',
      JOURNEY_BALANCER: 'haproxy',
      ...(swift && { TEST_OBJECT_STORE: JSON.stringify(swift.environment) }),
    },
  })
} finally {
  await swift?.stop()
}
process.exit(code)
