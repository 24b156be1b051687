import { defineConfig } from '@playwright/test'
import { browserArguments, findBrowser } from './scripts/browser.mjs'

export default defineConfig({
  testDir: 'test/journeys',
  // Two cores: with more, what one journey waits for is held up by the others.
  workers: 2,
  fullyParallel: false,
  // Guard rails, not goals: a busy machine may need a while for the longest journeys.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: { executablePath: await findBrowser(), args: browserArguments },
    // What a worker asks for is not seen by `page.route`; where it is looked at, it is allowed.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    // A trace films every page, which costs as much as the journey itself.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
  },
})
