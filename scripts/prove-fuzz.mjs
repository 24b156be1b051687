// npm run prove:fuzz: every call and door with thousands of hostile inputs each, and its figures.
//   npm run prove:fuzz -- --inputs 10000 --calls community,/auth/v1 --seed anything
// `npm test` runs the same with 20 inputs for each.
import { mkdtempSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from './run.mjs'

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    calls: { type: 'string' },
    seed: { type: 'string', default: 'thunder' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'thunder-fuzz-'))
const report = join(folder, 'figures.jsonl')
// Ctrl-C ends the tests, which end what they run on; what they found until then is told.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
// Certificates and pictures are drawn with them.
await run('node', ['scripts/subset-fonts.mjs'])
const code = await run('vitest', ['run', 'test/attacks/fuzz.test.ts'], {
  env: {
    FUZZ_INPUTS: values.inputs,
    FUZZ_SEED: values.seed,
    FUZZ_REPORT: report,
    ...(values.calls ? { FUZZ_CALLS: values.calls } : {}),
  },
})
const figures = existsSync(report)
  ? readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []
const total = (of) => figures.reduce((sum, one) => sum + of(one), 0)
const failed = (one) =>
  Object.entries(one.statuses).reduce(
    (sum, [status, count]) => sum + (status >= 500 ? count : 0),
    0,
  )
const slowest = figures.toSorted((one, other) => other.longestStall - one.longestStall)[0]
console.log(
  `${figures.length} calls and doors, ${total((one) => one.inputs).toLocaleString('en-US')} inputs: ` +
    `${total(failed)} answers of 5xx, ${total((one) => one.faults.length)} faults in all; ` +
    `the longest stall was ${slowest?.longestStall.toFixed(0)} ms (${slowest?.call}).`,
)
for (const { faults } of figures) for (const fault of faults) console.log(`\n${fault}`)
rmSync(folder, { recursive: true, force: true })
process.exit(code)
