import { globSync, readFileSync } from 'node:fs'
import { defineConfig, mergeConfig } from 'vitest/config'
import { patience } from './test/patience.ts'
import vite from './vite.config.ts'

const include = ['src/**/*.test.{ts,tsx}', 'seed/**/*.test.ts', 'test/**/*.test.ts']

/** Who replaces modules, globals or the clock does so where nobody else is. */
const isAlone = (file: string) =>
  /\bvi\.(mock|stub|spyOn|useFakeTimers)/.test(readFileSync(file, 'utf8'))
const alone = include.flatMap((pattern) => globSync(pattern)).filter(isAlone)

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      globalSetup: 'test/database-template.ts',
      setupFiles: 'test/before-each-file.ts',
      // A guard rail, not a goal: nothing here is about speed.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: patience.timeout } },
      maxWorkers: 3,
      // The queue's note of what became of a job fails unheard when the database is away; `job-outcomes.ts` makes
      // it later, and its tests say so.
      onUnhandledError: ({ stack = '' }) =>
        !/graphile-worker\/dist\/sql\/(complete|fail)Jobs/.test(stack),
      projects: [
        // Read once for many files: otherwise half of the time goes into reading the product anew for each.
        { extends: true, test: { name: 'together', include, exclude: alone, isolate: false } },
        { extends: true, test: { name: 'alone', include: alone } },
      ],
    },
  }),
)
