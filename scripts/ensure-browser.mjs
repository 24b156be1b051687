import { findBrowser } from './browser.mjs'
import { must, run } from './run.mjs'

/** Playwright's own browser where it can be had, else Debian's; nothing when one is there. */
export async function ensureBrowser() {
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
