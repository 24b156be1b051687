import { defineConfig, mergeConfig } from 'vitest/config'
import vite from './vite.config.ts'

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      include: ['src/**/*.test.{ts,tsx}', 'seed/**/*.test.ts', 'test/**/*.test.ts'],
      globalSetup: 'test/database-template.ts',
      // A guard rail, not a goal: nothing here is about speed.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
      maxWorkers: 3,
    },
  }),
)
