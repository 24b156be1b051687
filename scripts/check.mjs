// npm test: everything that has to be true before a change lands, in one command.
import { ensureBrowser } from './ensure-browser.mjs'
import { ensureFfmpeg } from './ffmpeg.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { must } from './run.mjs'

await ensureInstalled()

const steps = [
  ['formatting', () => must('oxfmt', ['--check', '.'])],
  ['lint', () => must('oxlint', ['--deny-warnings'])],
  ['types', () => must('react-router', ['typegen'])],
  ['types', () => must('tsc', ['--noEmit'])],
  ['unused code', () => must('knip', [])],
  ['ffmpeg', ensureFfmpeg],
  // Certificates are printed with them.
  ['fonts', () => must('node', ['scripts/subset-fonts.mjs'])],
  ['unit and API tests', () => must('vitest', ['run'])],
  ['build', ensureBuilt],
  ['browser', ensureBrowser],
  ['journeys', () => must('playwright', ['test'])],
]
for (const [name, step] of steps) {
  const start = performance.now()
  console.log(`\n== ${name}`)
  await step()
  console.log(`== ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
