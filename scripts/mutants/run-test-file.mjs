// One test file with mutated code, in a process of its own (within-one-app.config.ts, again-and-again.ts).
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'pg'

/** Milliseconds without a word after which a mutant runs for ever. */
const patience = { pure: 15_000, app: 60_000 }

const running = new Set()
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    isEnding = true
    for (const { pid } of running) process.kill(-pid, 'SIGKILL')
  })
}

/** Whole lines; the last one may still be on its way. */
const readLines = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    : []

/** Null when vitest was ended before, or while, it wrote it. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** One PostgreSQL with one template for all runs; of each the databases are dropped when it is over. */
export async function startTemplate() {
  let url
  const { default: setUp } = await import('../../test/database-template.ts')
  const { dropDatabase } = await import('../../test/drop-database.ts')
  const stop = await setUp({ provide: (name, value) => name === 'templateUrl' && (url = value) })
  const administration = new URL(url)
  administration.pathname = '/postgres'
  const pool = new Pool({ connectionString: administration.href, max: 1 })
  // It may still be closing when the server ends.
  pool.on('error', () => {})
  async function dropDatabases(prefix) {
    const { rows } = await pool.query(
      'select datname from pg_database where starts_with(datname, $1)',
      [`${prefix}_`],
    )
    for (const { datname } of rows) await dropDatabase(pool, datname)
  }
  return {
    url,
    dropDatabases,
    async stop() {
      await pool.end()
      await stop()
    },
  }
}

/**
 * @param {string} file
 * @param {{ toMeet: Record<string, string[]> | null, throughout?: string }} work see again-and-again.ts
 * @param {{ folder: string, code: string, isPure: boolean, template: object | null }} place
 * @returns what its tests told, with `{ stuck: mutant }` at the end when it had to be ended; and what vitest reports, unless
 * it was
 */
export async function runTestFile(file, work, { folder, code, isPure, template }) {
  if (isEnding) throw new Error('Ended before all mutants were tried.')
  const own = mkdtempSync(join(folder, 'run-'))
  const results = join(own, 'results.jsonl')
  const reportFile = join(own, 'report.json')
  const workFile = join(own, 'work.json')
  const databases = basename(own).toLowerCase().replace('-', '_')
  writeFileSync(workFile, JSON.stringify({ ...work, results }))
  const options = ['--config', 'scripts/mutants/within-one-app.config.ts', '--reporter', 'json']
  if (work.throughout !== undefined) options.push('--bail', '1')
  const vitest = spawn(
    process.execPath,
    [resolve('node_modules/vitest/vitest.mjs'), 'run', ...options, '--outputFile', reportFile],
    {
      // Of its own group, so that it can be ended with all that it started.
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        MUTANT_WORK: workFile,
        MUTANT_CODE: code,
        MUTANT_TESTS: JSON.stringify([file]),
        MUTANTS_PURE: isPure ? 'yes' : 'no',
        TEST_TEMPLATE: template?.url ?? '',
        TEST_DATABASES: databases,
        // Within one app what is broken is waited for thousands of times. A whole file has the limits under which it passes:
        // with others a test that fails by itself would notice every mutant.
        ...(work.throughout === undefined && { MUTANTS_IN_HASTE: 'yes', SETTLES_WITHIN: '3' }),
      },
    },
  )
  running.add(vitest)
  const ended = new Promise((over) => vitest.once('exit', over))
  let said = 0
  let since = Date.now()
  let isStuck = false
  while (!(await Promise.race([ended.then(() => true), wait(500, false)]))) {
    const { length } = readLines(results)
    if (length !== said) {
      said = length
      since = Date.now()
    }
    // A beginning takes longer than a test, and what meets a mutant throughout says nothing until its end.
    const limit = (isPure ? patience.pure : patience.app) * (said === 0 ? 3 : 1)
    if (Date.now() - since > limit) {
      isStuck = true
      process.kill(-vitest.pid, 'SIGKILL')
      await ended
    }
  }
  running.delete(vitest)
  await template?.dropDatabases(databases)
  const told = readLines(results)
  const last = told.at(-1)
  if (isStuck && last?.began !== undefined) told.push({ test: last.test, stuck: last.began })
  return { told, report: isStuck ? null : readReport(reportFile), isStuck }
}
