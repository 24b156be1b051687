// The tests that mutants meet: the files that MUTANT_TESTS names. scripts/prove-mutants.mjs sets it.
import base from '../../vitest.config.ts'

export default {
  ...base,
  test: {
    ...base.test,
    include: JSON.parse(process.env.MUTANT_TESTS ?? '[]') as string[],
    setupFiles: ['scripts/mutants/first-counterexample.ts'],
    // A mutant may make somebody wait for ever.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
}
