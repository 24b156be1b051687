// What Thunder does by itself: jobs, nightly recounts, backups; and whether it counted right.
import type { Pool } from 'pg'
import { jobQueueOf } from '../../domains/administration/queued-jobs.ts'
import { countWrongInCommunity } from '../../domains/community/recount-community.ts'
import { countWrongOfCourses } from '../../domains/courses/recount-counters.ts'
import { lastBackupAt } from '../../domains/site/last-backup.ts'
import type { Db } from '../../server/db.ts'
import { counted, found, type Finding, note, well, wrong } from './finding.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** Milliseconds that a job may wait, one of many that let others pass, and that may pass without a recount or a backup. */
const longWait = 10 * minute
const longWaitOfMany = 4 * 60 * minute
const nightly = 1.5 * day
const oldBackup = 2 * day

const ageOf = (date: Date) => {
  const minutes = Math.round((Date.now() - date.getTime()) / minute)
  if (minutes < 120) return counted(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day')
}

const isOlder = (date: Date, than: number) => Date.now() - date.getTime() > than

async function jobs(pool: Pool): Promise<Finding[]> {
  const { usualWaitingSince, laterWaitingSince, kinds } = await jobQueueOf(pool)
  const sum = (state: 'failing' | 'givenUp') => kinds.reduce((all, kind) => all + kind[state], 0)
  const named = (state: 'failing' | 'givenUp') =>
    kinds.flatMap((kind) => (kind[state] > 0 ? `${kind[state]} ${kind.name}` : [])).join(', ')
  const findings: Finding[] = []
  const toStart =
    'Start a node that works them (without JOBS=off), or read the log of one that does.'
  if (usualWaitingSince && isOlder(usualWaitingSince, longWait)) {
    findings.push(wrong('jobs', `The oldest waits for ${ageOf(usualWaitingSince)}.`, toStart))
  }
  if (laterWaitingSince && isOlder(laterWaitingSince, longWaitOfMany)) {
    const late = `What goes to many people waits for ${ageOf(laterWaitingSince)}.`
    findings.push(wrong('jobs', late, toStart))
  }
  const todo = 'Look at /admin/jobs; the log has the whole error under “Failed task”.'
  if (sum('givenUp') > 0) findings.push(wrong('jobs', `Given up: ${named('givenUp')}.`, todo))
  if (sum('failing') > 0) findings.push(note('jobs', `Tried again: ${named('failing')}.`, todo))
  return findings.length > 0 ? findings : [well('jobs', 'None waits for long, none fails.')]
}

function ofCounter(counter: string, differences: number): Finding {
  if (counter === 'ledger_departed') {
    return wrong(
      'payouts',
      `Money waits for ${counted(differences, 'creator')} who left, and cannot be sent.`,
      'Nothing is wrong in the books. What may be in the way is said in operations.md, “The ledger does not add up”.',
    )
  }
  if (counter.startsWith('ledger_')) {
    return wrong(
      'ledger',
      `${counter}: ${counted(differences, 'row')} that cannot be.`,
      'Switch “Paying out” off at /admin/features: see “The ledger does not add up” in operations.md. The log names the rows, decision 019 says what must hold.',
    )
  }
  return note(
    'recounts',
    `The last one mended ${differences} of ${counter}.`,
    'Report it: it is a fault of Thunder.',
  )
}

async function recounts(pool: Pool): Promise<Finding[]> {
  const { rows } = await pool.query<{ counter: string; differences: number; at: Date }>(
    `select distinct on (counter) counter, differences, created_at as at
       from counter_checks order by counter, created_at desc`,
  )
  const bad = rows.filter(({ differences }) => differences > 0)
  const newest = rows.map(({ at }) => at).toSorted((one, other) => Number(other) - Number(one))[0]
  const findings = bad.map(({ counter, differences }) => ofCounter(counter, differences))
  if (!newest) return [...findings, note('recounts', 'None yet: they are made each night.')]
  const age = `The last was ${ageOf(newest)} ago.`
  return [
    ...findings,
    Date.now() - newest.getTime() < nightly
      ? well('recounts', age)
      : wrong('recounts', age, 'No node works jobs at night: see “Jobs” in operations.md.'),
  ]
}

async function counters(db: Db): Promise<Finding[]> {
  const wrongRows = { ...(await countWrongOfCourses(db)), ...(await countWrongInCommunity(db)) }
  const bad = Object.entries(wrongRows).filter(([, rows]) => rows > 0)
  if (bad.length === 0) return [well('counters', 'All are what their rows say.')]
  const todo = 'The next nightly recount mends it. Report it: it is a fault of Thunder.'
  return bad.map(([name, rows]) =>
    wrong('counters', `${name} is wrong in ${counted(rows, 'row')}.`, todo),
  )
}

async function backup(db: Db): Promise<Finding> {
  const last = await lastBackupAt(db)
  const todo = 'Run npm run backup -- a-new-folder each night; see “Backups” in operations.md.'
  if (!last) return note('backup', 'None was ever made by npm run backup.', todo)
  const age = `The last is ${ageOf(last)} old.`
  return Date.now() - last.getTime() < oldBackup ? well('backup', age) : wrong('backup', age, todo)
}

export async function checkWork(pool: Pool, db: Db): Promise<Finding[]> {
  const todo = 'Start Thunder once, so that it brings the database up to date.'
  const looks: [string, () => Promise<Finding | Finding[]>][] = [
    ['jobs', () => jobs(pool)],
    ['recounts', () => recounts(pool)],
    ['counters', () => counters(db)],
    ['backup', () => backup(db)],
  ]
  const findings: Finding[] = []
  for (const [check, look] of looks) findings.push(...(await found(check, todo, look)))
  return findings
}
