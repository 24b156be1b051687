// The tests that mutants meet: the files that MUTANT_TESTS names. scripts/prove-mutants.mjs sets it.
import base from '../../vitest.config.ts'

export default {
  ...base,
  test: {
    ...base.test,
    // One place for all of them, however they are put together otherwise.
    projects: undefined,
    include: JSON.parse(process.env.MUTANT_TESTS ?? '[]') as string[],
    // What needs no database starts none.
    globalSetup: process.env.MUTANTS_PURE === 'yes' ? [] : base.test?.globalSetup,
    setupFiles: ['test/before-each-file.ts', 'scripts/mutants/first-counterexample.ts'],
    // A mutant may make somebody wait for ever.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
}
