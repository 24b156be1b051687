// How vitest runs tests where many mutants are tried within one app: each test twice without any mutant, and then once
// with each that it is to meet. A mutant counts as noticed only when the test fails with it, passes without it right
// afterwards, and fails with it again. What there is to do comes from scripts/mutants/run-test-file.mjs in a file, and
// what became of it goes into another, a line each.
import { appendFileSync, readFileSync } from 'node:fs'
import { type RunnerTestCase, TestRunner } from 'vitest'

type Work = {
  /** The ids of the mutants that a test is to meet, by its whole name; null: look only what each comes across. */
  toMeet: Record<string, string[]> | null
  /** A mutant that is there from the beginning, while files are loaded, too; each test meets it once. */
  throughout?: string
  results: string
}

type Step =
  | { is: 'first' | 'second' }
  | { is: 'with' | 'without' | 'with again'; mutant: string }
  | { is: 'over' }

/** What Stryker's instrumented code looks at. */
type Switch = {
  activeMutant?: string
  currentTestId?: string
  mutantCoverage?: {
    static: Record<string, number>
    perTest: Record<string, Record<string, number>>
  }
  hitCount?: number
  hitLimit?: number
}
declare global {
  var __stryker__: Switch | undefined
}

/** So often a mutant is come across by something that does not end. */
const mostHits = 2_000_000

const work = JSON.parse(readFileSync(process.env.MUTANT_WORK!, 'utf8')) as Work
const mutants: Switch = (globalThis.__stryker__ ??= {})
mutants.activeMutant = work.throughout
/** Of the whole file: noticed by a test before. */
const noticed = new Set<string>()
/** With a mutant something broke that tests need; nothing after it says anything. */
let isBroken = false

const tell = (what: object) =>
  appendFileSync(
    work.results,
    `${JSON.stringify({ ...what, at: Math.round(performance.now()) })}\n`,
  )

const nameOf = (test: RunnerTestCase) => {
  const names = [test.name]
  for (let suite = test.suite; suite; suite = suite.suite) names.unshift(suite.name)
  return names.join(' > ')
}

export default class AgainAndAgain extends TestRunner {
  private step: Step = { is: 'first' }
  private left: string[] = []
  private began = 0

  override async onBeforeRunSuite(suite: Parameters<TestRunner['onBeforeRunSuite']>[0]) {
    await super.onBeforeRunSuite(suite)
    // What happens beside tests is nobody's; what happened until now did so while files were loaded.
    mutants.currentTestId ??= 'beside'
  }

  override async onBeforeRunTask(test: RunnerTestCase) {
    await super.onBeforeRunTask(test)
    if (work.throughout !== undefined) return
    if (test.mode !== 'run' && test.mode !== 'queued') return
    const name = nameOf(test)
    this.left = [...(work.toMeet?.[name] ?? [])]
    this.step = { is: 'first' }
    test.retry = 0
    // Until it says that it is over.
    test.repeats = Infinity
    mutants.currentTestId = name
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }) {
    super.onBeforeTryTask(test, options)
    mutants.hitCount = 0
    mutants.hitLimit = mostHits
    if (work.throughout !== undefined) return
    if (isBroken || this.step.is === 'over') {
      mutants.activeMutant = undefined
      mutants.currentTestId = 'beside'
      test.context.skip()
    }
    test.result!.errors = undefined
    mutants.activeMutant =
      this.step.is === 'with' || this.step.is === 'with again' ? this.step.mutant : undefined
    if (this.step.is === 'with') tell({ test: nameOf(test), began: this.step.mutant })
    this.began = performance.now()
  }

  override async onAfterRetryTask(
    test: RunnerTestCase,
    options: Parameters<TestRunner['onAfterRetryTask']>[1],
  ) {
    await super.onAfterRetryTask(test, options)
    if (work.throughout !== undefined) return
    mutants.activeMutant = undefined
    if (this.step.is === 'over') return
    const passed = test.result?.state === 'pass'
    this.step = this.after(test, passed)
  }

  private after(test: RunnerTestCase, passed: boolean): Step {
    const { step } = this
    const name = nameOf(test)
    const took = performance.now() - this.began
    switch (step.is) {
      case 'first':
        if (!passed) {
          const why = test.result?.errors?.[0]?.message
          tell({ test: name, is: 'failing', why, meets: this.cameAcross(name) })
        }
        // Once is enough for what only prepares the ones after it.
        if (work.toMeet && this.left.length === 0) return { is: 'over' }
        return passed ? { is: 'second' } : { is: 'over' }
      case 'second': {
        const meets = this.cameAcross(name)
        tell({ test: name, is: passed ? 'repeatable' : 'not repeatable', took, meets })
        return passed ? this.nextMutant() : { is: 'over' }
      }
      case 'with':
        if (!passed) return { is: 'without', mutant: step.mutant }
        tell({ test: name, met: step.mutant })
        return this.nextMutant()
      case 'without':
        if (passed) return { is: 'with again', mutant: step.mutant }
        isBroken = true
        tell({ test: name, broken: step.mutant })
        return { is: 'over' }
      case 'with again':
        if (passed) tell({ test: name, sometimes: step.mutant })
        else {
          noticed.add(step.mutant)
          tell({ test: name, noticed: step.mutant })
        }
        return this.nextMutant()
      default:
        return step
    }
  }

  private cameAcross(test: string): string[] {
    return Object.keys(mutants.mutantCoverage?.perTest[test] ?? {})
  }

  private nextMutant(): Step {
    for (;;) {
      const mutant = this.left.shift()
      if (mutant === undefined) return { is: 'over' }
      if (!noticed.has(mutant)) return { is: 'with', mutant }
    }
  }

  override async onAfterRunSuite(suite: Parameters<TestRunner['onAfterRunSuite']>[0]) {
    if ('filepath' in suite) {
      const { static: atLoad = {}, perTest = {} } = mutants.mutantCoverage ?? {}
      tell({ atLoad: Object.keys(atLoad), beside: Object.keys(perTest.beside ?? {}) })
    }
    await super.onAfterRunSuite(suite)
  }
}
