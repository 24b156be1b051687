// npm run prove:faults: every fault of test/faults ten times as long under load, in front of a real object store where
// there is one, and 1,000 uploads cut at random bytes while the server is killed.
//   npm run prove:faults -- --times 10 --uploads 1000
// `npm test` runs the same once, with 20 uploads.
import { parseArgs } from 'node:util'
import { install } from './debian.mjs'
import { run } from './run.mjs'
import { ensureSwift, startSwift } from './swift.mjs'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    uploads: { type: 'string', default: '1000' },
  },
})
const faults = (env, files) => run('vitest', ['run', '--no-file-parallelism', ...files], { env })

// Without it the tests that set the clock of PostgreSQL are skipped.
await install('libfaketime for the tests', ['libfaketime'])

// Ctrl-C ends the tests, and then what they ran on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
const env = { FAULTS: values.times, FAULT_UPLOADS: values.uploads }
let code = await faults(env, ['test/faults'])
if (code === 0 && (await ensureSwift())) {
  const swift = await startSwift()
  try {
    const store = { TEST_OBJECT_STORE: JSON.stringify(swift.environment) }
    code = await faults({ ...env, ...store }, ['test/faults/store.test.ts'])
  } finally {
    await swift.stop()
  }
}
process.exit(code)
