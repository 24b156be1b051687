import { findBrowser } from './browser.mjs'
import { canInstall, install } from './debian.mjs'
import { must } from './run.mjs'

/** Playwright's own browser where it can be had, else Debian's; nothing when one is there. */
export async function ensureBrowser() {
  if (await findBrowser()) return
  if (canInstall) {
    for (const browser of ['chromium-headless-shell', 'chromium']) {
      await install('a browser for the tests', [browser])
      if (await findBrowser()) return
    }
  }
  console.log('Installing a browser for the tests...')
  await must('playwright', ['install', '--with-deps', 'chromium'])
}
