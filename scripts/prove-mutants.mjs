// npm run prove:mutants: changes the code in small ways and looks whether the tests notice.
//   npm run prove:mutants -- --only access|money|domains --files src/server/api.ts,src/server/visit.ts:20-40
//   npm run prove:mutants -- --only domains --sample 0.02 --seed anything --files src/domains/reviews
// Of the access and the money code every mutant is tried, of the domains a sample. What nobody noticed is listed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import config from '../stryker.config.mjs'
import { access, domains, money } from './mutants/areas.mjs'
import { interval, isResultInSample, notInSample } from './mutants/sample.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    files: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: 'thunder' },
  },
})

/** What is wanted of a part: all of it, or the files and folders, with or without lines, that --files names. */
function wanted(mutate) {
  if (!values.files) return mutate
  return values.files.split(',').flatMap((one) => {
    const [path] = one.split(':')
    return mutate.includes(path) ? [one] : mutate.filter((file) => file.startsWith(`${path}/`))
  })
}

async function resultsOf(parts) {
  const results = []
  for (const { mutate, tests, isPure } of parts) {
    const here = wanted(mutate)
    if (here.length === 0) continue
    process.env.MUTANT_TESTS = JSON.stringify(tests)
    process.env.MUTANTS_PURE = isPure ? 'yes' : 'no'
    const stryker = new Stryker({
      configFile: 'stryker.config.mjs',
      mutate: here,
      // A thread begins sooner; what starts the app needs a process of its own.
      vitest: { ...config.vitest, pool: isPure ? 'threads' : 'forks' },
    })
    results.push(...(await stryker.runMutationTest()))
  }
  return results
}

/** @returns {boolean} whether the score is at least `goal` */
function tell(area, results, goal) {
  const of = (...statuses) => results.filter(({ status }) => statuses.includes(status))
  const noticed = of('Killed', 'Timeout').length
  // What no test comes across is known without a trial, of all of them; it counts as far as it is in the sample.
  const uncovered = of('NoCoverage').filter(isResultInSample)
  const unnoticed = [...of('Survived'), ...uncovered]
  for (const { fileName, location, mutatorName, replacement, status } of unnoticed) {
    const { line, column } = location.start
    const place = `${relative('.', fileName)}:${line}:${column}`
    console.log(`${status} ${place} ${mutatorName}: ${replacement}`)
  }
  const all = noticed + unnoticed.length
  const score = (100 * noticed) / all
  const failed = of('RuntimeError', 'CompileError')
  const untried = failed.filter(({ statusReason }) => statusReason === notInSample).length
  const outside = untried + of('NoCoverage').length - uncovered.length
  const [least, most] = interval(noticed, all)
  console.log(
    `${area}: ${noticed} of ${all} mutants noticed, ${score.toFixed(1)} % ` +
      `(${of('Timeout').length} of them because they ran for ever); ` +
      `${of('Ignored').length} left out by rule, ${failed.length - untried} could not be tried` +
      (outside > 0
        ? `; ${outside} not in the sample: of all between ${least.toFixed(1)} and ${most.toFixed(1)} %`
        : ''),
  )
  return score >= goal
}

const proofs = [
  ['access', () => access, 100],
  ['money', money, 100],
  ['domains', domains, 85],
]
let isMet = true
for (const [area, parts, goal] of proofs) {
  if (values.only && values.only !== area) continue
  const rate = Number(values.sample ?? (area === 'domains' ? 0.02 : 1))
  process.env.MUTANT_SAMPLE = JSON.stringify({ rate, seed: values.seed })
  const results = await resultsOf(parts())
  if (results.length === 0) continue
  mkdirSync('.mutants', { recursive: true })
  writeFileSync(`.mutants/${area}.json`, JSON.stringify(results, null, 2))
  isMet = tell(area, results, goal) && isMet
}
process.exit(isMet ? 0 : 1)
