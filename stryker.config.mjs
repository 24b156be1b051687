// How the tests themselves are tested: npm run prove:mutants. What is changed and which tests have to notice stands in
// scripts/mutants/areas.mjs; scripts/prove-mutants.mjs gives one part of it after the other to Stryker.
import { availableParallelism } from 'node:os'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'whole-files',
  plugins: ['./scripts/mutants/whole-files-runner.mjs', './scripts/mutants/texts-for-people.mjs'],
  ignorers: ['texts-for-people'],
  vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false, pool: 'forks' },
  coverageAnalysis: 'perTest',
  concurrency: Math.min(2, availableParallelism()),
  // Only for a mutant that runs for ever: a slow machine must not count as a test that noticed.
  timeoutMS: 90_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 30,
  // Stryker would look into it with TypeScript's old programming interface.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  ignorePatterns: ['/build', '/data', '/reports', '.mutants*'],
  tempDirName: '.mutants-sandbox',
  reporters: ['progress-append-only'],
  allowConsoleColors: false,
  thresholds: { high: 100, low: 85, break: null },
}
