// vitest with the mutated code in place of the code, and each test again and again.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

const place = process.env.MUTANT_CODE!
const code = JSON.parse(readFileSync(place, 'utf8')) as Record<string, string>

/** What needs no database is there at once. */
const limits =
  process.env.MUTANTS_IN_HASTE === 'yes'
    ? {
        testTimeout: process.env.MUTANTS_PURE === 'yes' ? 2000 : 10_000,
        expect: { poll: { timeout: 2000 } },
      }
    : {}

export default mergeConfig(base, {
  plugins: [
    {
      name: 'mutated-code',
      enforce: 'pre',
      load: (id: string) => code[id.split('?')[0]!],
    },
  ],
  test: {
    // What is kept of a module is found by its file, which is the same for every way of changing it.
    fsModuleCachePath: join(dirname(place), 'modules'),
    runner: 'scripts/mutants/again-and-again.ts',
    ...limits,
  },
})
