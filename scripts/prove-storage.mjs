// npm run prove:storage: files in a real object store, by the tests of the storage and of all that uses it.
import { run } from './run.mjs'
import { ensureSwift, startSwift } from './swift.mjs'

const tests = [
  'src/server/storage.test.ts',
  'src/domains/media/uploads.test.ts',
  'src/domains/media/delivery.test.ts',
  'src/domains/media/processing.test.ts',
  'src/domains/course-transfer/duplicate-course.test.ts',
  'src/domains/course-transfer/import-course.test.ts',
  'src/domains/course-transfer/out-and-in.test.ts',
  'src/domains/course-transfer/refused-course-files.test.ts',
  'test/backup.test.ts',
]

if (!(await ensureSwift())) {
  console.log('skipped: no object store here (Debian’s Swift needs apt and root to be installed)')
  process.exit(0)
}
const swift = await startSwift()
// Ctrl-C ends the tests, and then what they ran on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
let code = 1
try {
  // One file at a time: the store has one worker of each kind.
  code = await run('vitest', ['run', '--no-file-parallelism', ...tests], {
    env: { TEST_OBJECT_STORE: JSON.stringify(swift.environment) },
  })
} finally {
  await swift.stop()
}
process.exit(code)
