// Stryker's runner for vitest, with two rules of ours. Tests of a file may build on what the ones before them did, so a
// mutant meets whole test files, never single tests: one that fails by itself would count as a mutant that was found. And a
// file that cannot even begin with a mutant has found it.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { strykerPlugins as ofVitest, strykerValidationSchema } from '@stryker-mutator/vitest-runner'
import { Client } from 'pg'
import { isInSample, notInSample } from './sample.mjs'

export { strykerValidationSchema }

/** Which test files come across a mutant, quickest first. Written by the run without mutants, in the sandbox. */
const coveringFiles = () => resolve('.covering-files.json')

const { factory } = ofVitest[0]

function wholeFilesRunner(injector) {
  const runner = factory(injector)
  const { dryRun, mutantRun, run } = runner
  let covering
  let active

  async function meet(file) {
    const result = await run.call(runner, { testFiles: [file] })
    await dropDatabases(runner.ctx)
    return result
  }

  runner.dryRun = async (options) => {
    const result = await dryRun.call(runner, options)
    if (result.status === 'complete')
      writeFileSync(coveringFiles(), JSON.stringify(seen(runner.ctx)))
    await dropDatabases(runner.ctx)
    return result
  }

  runner.mutantRun = async (options) => {
    if (!isInSample(options.activeMutant)) return { status: 'error', errorMessage: notInSample }
    active = options.activeMutant
    covering ??= JSON.parse(readFileSync(coveringFiles(), 'utf8'))
    try {
      // What it does at its load is done once more with the mutant.
      return await mutantRun.call(runner, { ...options, mutantActivation: 'static' })
    } finally {
      active = undefined
    }
  }

  runner.run = async (options = {}) => {
    if (!active) return run.call(runner, options)
    let last
    for (const { file, anyTest } of covering.files.filter(({ mutants }) => mutants[active.id])) {
      last = await meet(file)
      // What the machine did, and not the mutant, does not happen twice.
      if (last.status === 'error' || wasEndedByClock(last)) last = await meet(file)
      if (last.status === 'error') {
        const failed = { id: anyTest, name: file, status: 1, timeSpentMs: 0 }
        return { status: 'complete', tests: [{ ...failed, failureMessage: last.errorMessage }] }
      }
      if (last.tests.some(isFailed)) return last
    }
    return last
  }
  return runner
}
wholeFilesRunner.inject = ['$injector']

const isFailed = ({ status }) => status === 1

/** Whether time was all that its tests were missing. */
const wasEndedByClock = ({ tests }) => {
  const failed = tests.filter(isFailed)
  return (
    failed.length > 0 && failed.every((one) => /timed out in|in time\b/.test(one.failureMessage))
  )
}

/** What the run without mutants saw, file by file. */
function seen(ctx) {
  const files = ctx.state.getFiles().map((file) => {
    const { perTest = {}, static: atLoad = {} } = file.meta.mutantCoverage ?? {}
    const mutants = Object.assign({}, atLoad, ...Object.values(perTest))
    const anyTest = Object.keys(perTest)[0]
    return { file: file.filepath, took: file.result?.duration ?? 0, mutants, anyTest }
  })
  return { files: files.toSorted((one, other) => one.took - other.took) }
}

/** Each test file makes one and leaves it; after a thousand mutants they would fill the disk. */
async function dropDatabases(ctx) {
  const { templateUrl } = ctx.getRootProject().getProvidedContext()
  if (!templateUrl) return
  const url = new URL(templateUrl)
  url.pathname = '/postgres'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query(
    `select format('drop database %I with (force)', datname) as drop from pg_database where datname like 'test\\_%'`,
  )
  for (const { drop } of rows) await client.query(drop)
  await client.end()
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'whole-files', wholeFilesRunner),
]
