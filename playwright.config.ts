import { defineConfig } from '@playwright/test'
import { browserArguments, findBrowser } from './scripts/browser.mjs'

export default defineConfig({
  testDir: 'test/journeys',
  workers: 3,
  fullyParallel: false,
  // Guard rails, not goals: a busy machine may need a while for the longest journeys.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    launchOptions: { executablePath: await findBrowser(), args: browserArguments },
    viewport: { width: 1280, height: 800 },
    // A trace films every page, which costs as much as the journey itself.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
  },
})
