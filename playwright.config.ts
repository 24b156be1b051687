import { defineConfig } from '@playwright/test'
import { browserArguments, findBrowser } from './scripts/browser.mjs'

export default defineConfig({
  testDir: 'test/journeys',
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    launchOptions: { executablePath: await findBrowser(), args: browserArguments },
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
  },
})
