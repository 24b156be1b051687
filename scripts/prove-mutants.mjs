// npm run prove:mutants: changes the code in small ways and looks whether the tests notice.
//   npm run prove:mutants -- --only access|money|domains --files src/server/api.ts,src/server/visit.ts:20-40
//   npm run prove:mutants -- --only domains --sample 0.02 --seed anything --files src/domains/reviews
// Of the access and the money code every mutant is tried, of the domains a sample. What nobody noticed is listed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { access, domains, money } from './mutants/areas.mjs'
import { interval, sampleOf } from './mutants/sample.mjs'
import { tryMutants } from './mutants/try-mutants.mjs'

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

async function outcomesOf(parts, isWanted) {
  const outcomes = []
  for (const part of parts) {
    const mutate = wanted(part.mutate)
    if (mutate.length === 0) continue
    const say = (line) => console.log(`${new Date().toTimeString().slice(0, 8)} ${line}`)
    const tried = await tryMutants({ ...part, mutate, isWanted, say })
    for (const one of tried.filter(isUnnoticed)) say(wordsOf(one))
    outcomes.push(...tried)
  }
  return outcomes
}

const isUnnoticed = ({ outcome }) => outcome === 'unnoticed' || outcome === 'uncovered'

function wordsOf({ fileName, location, mutatorName, replacement, outcome }) {
  const { line, column } = location.start
  const place = `${relative('.', fileName)}:${line + 1}:${column + 1}`
  return `${outcome} ${place} ${mutatorName}: ${replacement}`
}

/** @returns {boolean} whether the score is at least `goal` */
function tell(area, outcomes, { rate, goal }) {
  const of = (outcome) => outcomes.filter((one) => one.outcome === outcome)
  const tried = outcomes.filter(({ outcome }) => outcome !== 'left out')
  const unnoticed = tried.filter(isUnnoticed)
  const noticed = tried.length - unnoticed.length
  const score = (100 * noticed) / tried.length
  const [least, most] = interval(noticed, tried.length)
  console.log(
    `${area}: ${noticed} of ${tried.length} mutants noticed, ${score.toFixed(1)} % ` +
      `(${of('for ever').length} of them because they ran for ever); ${of('left out').length} left out by rule` +
      (rate < 1
        ? `; a sample of ${100 * rate} %: of all between ${least.toFixed(1)} and ${most.toFixed(1)} %`
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
  const outcomes = await outcomesOf(parts(), sampleOf({ rate, seed: values.seed }))
  if (outcomes.length === 0) continue
  mkdirSync('.mutants', { recursive: true })
  writeFileSync(`.mutants/${area}.json`, JSON.stringify(outcomes, null, 2))
  isMet = tell(area, outcomes, { rate, goal }) && isMet
}
process.exit(isMet ? 0 : 1)
