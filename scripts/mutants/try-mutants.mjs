// Tries all mutants of a part. A new process for each would take a minute on a busy machine, so within an app that stands
// each test meets the mutants that it comes across, one after the other: each mutant its quickest tests first, as long as
// nobody has noticed it. What is left then meets, from their beginning and in a process of their own, the files in which
// more comes across it: while they are loaded, beside their tests, in tests that do not pass twice, or in slower ones.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { instrument } from './instrument.mjs'
import { runTestFile, startTemplate } from './run-test-file.mjs'

/** How many more of a mutant's quickest tests meet it in each round; what these do not notice meets whole files. */
const rounds = [1, 4, 15]
/** Much of a run is waiting, so there are more of them than a small machine has processors. */
const atOnce = 3

/** Meetings after which another run of the same file, beside others, takes over. */
const mostOfOneRun = 120

/** What a file's tests are to meet, in pieces; what one test meets stays together. */
function piecesOf(toMeet) {
  const pieces = [{}]
  let count = 0
  for (const [test, ids] of Object.entries(toMeet)) {
    if (count > 0 && count + ids.length > mostOfOneRun) {
      pieces.push({})
      count = 0
    }
    pieces.at(-1)[test] = ids
    count += ids.length
  }
  return pieces
}

async function inTurn(tasks) {
  const left = [...tasks]
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) await next()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** What each test comes across, from one run of each file without any mutant. */
async function survey(tests, mutants, { place, say }) {
  /** By mutant, the tests that can be repeated and come across it. */
  const meetings = new Map(mutants.map(({ id }) => [id, []]))
  /** By mutant, the files in which something else comes across it. */
  const elsewhere = new Map(mutants.map(({ id }) => [id, new Set()]))
  /** Milliseconds that each file takes. */
  const lengths = new Map()
  async function look(file) {
    const began = performance.now()
    const { told } = await runTestFile(file, { toMeet: null }, place)
    lengths.set(file, performance.now() - began)
    const of = (what) => told.filter(({ is }) => is === what)
    for (const { test, took, meets } of of('repeatable')) {
      for (const id of meets) meetings.get(id)?.push({ file, test, took })
    }
    for (const { test, why } of of('failing')) say(`${file}: “${test}” fails by itself: ${why}`)
    for (const { is, meets = [], atLoad = [], beside = [] } of told) {
      const others = is === 'repeatable' ? [] : meets
      for (const id of [...others, ...atLoad, ...beside]) elsewhere.get(id)?.add(file)
    }
    const once = of('not repeatable').length
    const end = told.some(({ atLoad }) => atLoad) ? '' : '; it did not end'
    say(`${file}: ${of('repeatable').length} tests, ${once} more that do not pass twice${end}`)
  }
  await inTurn(tests.map((file) => () => look(file)))
  for (const those of meetings.values()) those.sort((one, other) => one.took - other.took)
  return { meetings, elsewhere, lengths }
}

/** One round within one app: `toMeet` says which mutants each test meets. What came of it goes into `outcomes`. */
async function meetWithin(file, toMeet, { place, outcomes, elsewhere }) {
  for (;;) {
    for (const [test, ids] of Object.entries(toMeet)) {
      toMeet[test] = ids.filter((id) => !outcomes.has(id))
      if (toMeet[test].length === 0) delete toMeet[test]
    }
    if (Object.keys(toMeet).length === 0) return
    const { told } = await runTestFile(file, { toMeet }, place)
    // A run that ends early has said something about one mutant at least.
    let isWhole = true
    for (const { test, met, noticed, sometimes, broken, stuck, is } of told) {
      if (noticed) outcomes.set(noticed, { outcome: 'noticed', by: test })
      if (stuck) outcomes.set(stuck, { outcome: 'for ever', by: test })
      if (is === 'not repeatable' || is === 'failing') {
        for (const id of toMeet[test] ?? []) elsewhere.get(id).add(file)
        delete toMeet[test]
      }
      if (sometimes ?? broken) elsewhere.get(sometimes ?? broken).add(file)
      const said = met ?? sometimes ?? broken
      if (said && toMeet[test]) toMeet[test] = toMeet[test].filter((id) => id !== said)
      if (stuck || broken) isWhole = false
    }
    if (isWhole) return
  }
}

/** Whether a file's tests notice a mutant that is there from the beginning. What only the clock or the machine ended is tried again. */
async function meetThroughout(file, id, place) {
  for (let isLast = false; ; isLast = true) {
    const { report, isStuck } = await runTestFile(file, { toMeet: null, throughout: id }, place)
    if (isStuck) return 'for ever'
    if (report?.success) return null
    const messages = (report?.testResults ?? []).flatMap(({ message, assertionResults }) => [
      message,
      ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
    ])
    const isByMachine = messages
      .filter(Boolean)
      .every((one) => /timed out in|in time\b|did not settle/.test(one))
    if (!isByMachine || isLast) return 'noticed'
  }
}

/**
 * @param {{ mutate: string[], tests: string[], isPure?: boolean, isWanted: (mutant: object) => boolean, say: (line: string) => void }} part
 * @returns {Promise<(object & { outcome: 'noticed' | 'for ever' | 'unnoticed' | 'uncovered' | 'left out', by?: string })[]>}
 * the mutants that are wanted; their lines and columns begin at 0
 */
export async function tryMutants({ mutate, tests, isPure = false, isWanted, say }) {
  mkdirSync('.mutants', { recursive: true })
  const folder = mkdtempSync(resolve('.mutants/part-'))
  const code = join(folder, 'code.json')
  const instrumented = await instrument(mutate)
  writeFileSync(code, JSON.stringify(instrumented.code))
  const chosen = instrumented.mutants.filter(isWanted)
  const mutants = chosen.filter(({ status }) => status !== 'Ignored')
  const template = isPure || mutants.length === 0 ? null : await startTemplate()
  const place = { folder, code, isPure, template }
  /** @type {Map<string, { outcome: string, by?: string }>} */
  const outcomes = new Map()
  const tell = (left) => say(`${outcomes.size} of ${mutants.length} noticed, ${left} are left`)
  try {
    const { meetings, elsewhere, lengths } = await survey(
      mutants.length > 0 ? tests : [],
      mutants,
      {
        place,
        say,
      },
    )
    const isMet = ({ id }) => meetings.get(id).length > 0 || elsewhere.get(id).size > 0
    const open = new Set(mutants.filter(isMet).map(({ id }) => id))
    for (const count of rounds) {
      /** @type {Map<string, Record<string, string[]>>} */
      const byFile = new Map()
      for (const [id, those] of meetings) {
        if (outcomes.has(id)) continue
        for (const { file, test } of those.splice(0, count)) {
          const toMeet = byFile.get(file) ?? {}
          byFile.set(file, toMeet)
          toMeet[test] = [...(toMeet[test] ?? []), id]
        }
      }
      await inTurn(
        [...byFile].flatMap(([file, toMeet]) =>
          piecesOf(toMeet).map(
            (piece) => () => meetWithin(file, piece, { place, outcomes, elsewhere }),
          ),
        ),
      )
      tell([...open].filter((id) => !outcomes.has(id)).length)
    }
    const left = mutants.filter(({ id }) => open.has(id) && !outcomes.has(id))
    let done = 0
    await inTurn(
      left.map(({ id }) => async () => {
        const files = new Set([...elsewhere.get(id), ...meetings.get(id).map(({ file }) => file)])
        for (const file of [...files].toSorted(
          (one, other) => lengths.get(one) - lengths.get(other),
        )) {
          const outcome = await meetThroughout(file, id, place)
          if (!outcome) continue
          outcomes.set(id, { outcome, by: file })
          break
        }
        done += 1
        if (done % 25 === 0) tell(left.length - done)
      }),
    )
    return chosen.map((mutant) => {
      if (mutant.status === 'Ignored') return { ...mutant, outcome: 'left out' }
      const outcome = open.has(mutant.id) ? 'unnoticed' : 'uncovered'
      return { ...mutant, outcome, ...outcomes.get(mutant.id) }
    })
  } finally {
    await template?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
