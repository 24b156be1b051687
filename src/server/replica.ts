// One read replica: PostgreSQL's own streaming replication, hot standby.
import { DatabaseError, type Pool } from 'pg'
import { openDatabase } from './db.ts'
import type { Log } from './log.ts'
import { sharedQuestion } from './shared-question.ts'
import { bytesOfLog, systemIdentifier } from './write-ahead-log.ts'

/** Milliseconds for which a read waits until the replica has what the primary had. */
const patience = 10
/** Milliseconds after which a replica that does not answer is left out. */
const answerWithin = 1000

/** Null of a server that is no replica, or no longer one. */
const position = `select case when pg_is_in_recovery() then ${bytesOfLog('pg_last_wal_replay_lsn()')} end as replayed`
const look = `${position}, ${systemIdentifier} as system,
  coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8 as since`

interface Found {
  replayed: number | null
  system: string
  since: number
}

export interface Replica {
  /** Host and port. */
  name: string
  pool: Pool
  readonly isUsed: boolean
  /** How far behind it was when it was last looked at; null when it did not say. */
  readonly lag: { bytes: number; seconds: number } | null
  /** Statements that it answered. */
  reads: number
  /** Whether what is read here from now on shows the log up to `wanted`; waits a moment for it. */
  has(wanted: number): Promise<boolean>
  /** What a read there ended with; it is left out when that was its own fault. */
  failed(error: unknown): void
  /** Finds out whether it can be used: it must be of this `system`, and have what was `wanted` a look ago. */
  look(primary: { system: string; wanted: number; written: number }): Promise<void>
}

/** Whether the server is well, and only this statement did not succeed there. */
const isOfStatement = (error: unknown) =>
  error instanceof DatabaseError && !/^(?:08|53|57|58|XX)/.test(error.code ?? '')

export function openReplica(url: string, prepared: boolean, log: Log): Replica {
  const name = new URL(url).host
  let isUsed = false
  let lag: Replica['lag'] = null
  let problem = ''
  /** What is read on any of its connections shows at least this. */
  let replayed = 0

  function positionIn(rows: Pick<Found, 'replayed'>[]): number {
    const found = rows[0]?.replayed ?? null
    if (found === null) throw new Error('it is not a replica')
    return found
  }
  const { pool } = openDatabase(url, log, {
    prepared,
    connectionTimeoutMillis: answerWithin,
    query_timeout: answerWithin,
    // A server that was started anew goes through its log once more, and may be let in before its end.
    verify: (client, done) => {
      client
        .query<Found>(position)
        .then(({ rows }) => {
          if (positionIn(rows) < replayed) throw new Error('it has less than before')
        })
        .then(() => done(), done)
    },
  })
  const ask = sharedQuestion(async () => {
    const { rows } = await pool.query<Found>(position)
    return (replayed = Math.max(replayed, positionIn(rows)))
  })

  function leaveOut(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (isUsed || reason !== problem) log.warn({ replica: name, reason }, 'a replica is not used')
    problem = reason
    isUsed = false
  }

  return {
    name,
    pool,
    get isUsed() {
      return isUsed
    },
    get lag() {
      return lag
    },
    reads: 0,
    async has(wanted) {
      const until = performance.now() + patience
      try {
        for (let found = replayed; found < wanted; found = await ask()) {
          if (performance.now() < until) continue
          // Nobody waits for it again before it has caught up.
          isUsed = false
          return false
        }
        return true
      } catch (error) {
        leaveOut(error)
        return false
      }
    },
    failed(error) {
      if (!isOfStatement(error)) leaveOut(error)
    },
    async look({ system, wanted, written }) {
      try {
        const { rows } = await pool.query<Found>(look)
        const found = positionIn(rows)
        if (rows[0]!.system !== system) throw new Error('it is a replica of another database')
        replayed = Math.max(replayed, found)
        const bytes = Math.max(0, written - found)
        lag = { bytes, seconds: bytes === 0 ? 0 : Math.max(0, rows[0]!.since) }
        if (isUsed || found < wanted) return
        isUsed = true
        if (problem !== '') log.info({ replica: name }, 'a replica is used again')
        problem = ''
      } catch (error) {
        lag = null
        leaveOut(error)
      }
    },
  }
}
