// npm test: everything that has to be true before a change lands, in one command.
import { ensureFfmpeg } from './ffmpeg.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'
import { must, run } from './run.mjs'

await ensureInstalled()

/** Playwright's own browser where it can be had, else Debian's; nothing when one is there. */
async function ensureBrowser() {
  const { findBrowser } = await import('./browser.mjs')
  if (await findBrowser()) return
  console.log('Installing a browser for the tests...')
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    await run('apt-get', ['update', '-qq'])
    for (const browser of ['chromium-headless-shell', 'chromium']) {
      await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', browser], {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      })
      if (await findBrowser()) return
    }
  }
  await must('playwright', ['install', '--with-deps', 'chromium'])
}

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
