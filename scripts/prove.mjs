// npm run prove: everything that is proved beside npm test, one after the other. It takes hours; what is named after --
// is proved alone: npm run prove -- fuzz crashes
import { run } from './run.mjs'

const proofs = [
  ['fuzz', 'every call with 10,000 hostile inputs'],
  ['crashes', 'kill -9, 1,000 times under writes'],
  ['faults', 'disks, outside services and clocks in trouble under load, 1,000 uploads cut'],
  ['restarts', 'a fleet restarted under load'],
  ['versions', 'the version before beside this one'],
  ['nodes', 'the journeys on two nodes behind HAProxy'],
  ['pools', 'the tests through PgBouncer'],
  ['storage', 'files in an object store'],
  ['cdn', 'streams through nginx as a CDN'],
  ['mutants', 'code changed in small ways, and whether the tests notice'],
  ['image', 'the container image, step by step'],
]

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !proofs.some(([known]) => known === name))
if (unknown.length > 0) {
  console.error(`There is no proof named ${unknown.join(', ')}. There are:`)
  for (const [name, what] of proofs) console.error(`  ${name}: ${what}`)
  process.exit(1)
}

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isEnding = true))
const results = []
for (const [name, what] of proofs) {
  if (isEnding || (chosen.length > 0 && !chosen.includes(name))) continue
  console.log(`\n== ${name}: ${what}`)
  const start = performance.now()
  const code = await run('npm', ['run', '--silent', `prove:${name}`])
  const minutes = ((performance.now() - start) / 60_000).toFixed(1)
  results.push(`${code === 0 ? 'proved' : 'FAILED'}  ${name} (${minutes} min)`)
}
console.log(`\n${results.join('\n')}`)
process.exit(results.some((line) => line.startsWith('FAILED')) ? 1 : 0)
