// Which read replica has everything that the primary has; see docs/decisions/026-read-replicas.md.
import type { Pool } from 'pg'
import type { Log } from './log.ts'
import { openReplica, type Replica } from './replica.ts'
import { sharedQuestion } from './shared-question.ts'
import { bytesOfLog, systemIdentifier } from './write-ahead-log.ts'

/** Milliseconds between looks at the replicas. */
const lookEvery = 1000

export interface Replicas {
  all: readonly Replica[]
  /** One that has everything that was committed before this call; null when none has, and the primary is asked. */
  current(): Promise<Replica | null>
  stop(): Promise<void>
}

/** Replicas that are away, behind or wrong are looked at each second, and used when they are right. */
export async function openReplicas(
  urls: readonly string[],
  { primary, log, prepared }: { primary: Pool; log: Log; prepared: boolean },
): Promise<Replicas> {
  const replicas = urls.map((url) => openReplica(url, prepared, log))

  /** What is committed is flushed: up to here everything that anybody may have been told of is written. */
  const written = sharedQuestion(async () => {
    const { rows } = await primary.query<{ written: number }>(
      `select ${bytesOfLog('pg_current_wal_flush_lsn()')} as written`,
    )
    return rows[0]!.written
  })

  let system: string | null = null
  let before: number | null = null
  const look = sharedQuestion(async () => {
    system ??= (await primary.query<{ id: string }>(`select ${systemIdentifier} as id`)).rows[0]!.id
    const facts = { system, written: await written() }
    const wanted = before ?? facts.written
    await Promise.all(replicas.map((replica) => replica.look({ ...facts, wanted })))
    before = facts.written
  })
  const lookAgain = () =>
    look().catch((error: unknown) => log.warn({ err: error }, 'the replicas were not looked at'))
  await lookAgain()
  const looking = setInterval(lookAgain, lookEvery)

  let turn = 0
  return {
    all: replicas,
    async current() {
      if (!replicas.some(({ isUsed }) => isUsed)) return null
      const wanted = await written()
      turn = (turn + 1) % replicas.length
      for (const replica of [...replicas.slice(turn), ...replicas.slice(0, turn)]) {
        if (replica.isUsed && (await replica.has(wanted))) return replica
      }
      return null
    },
    async stop() {
      clearInterval(looking)
      await Promise.all(replicas.map(({ pool }) => pool.end()))
    },
  }
}
