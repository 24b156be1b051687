import type { Config } from '../../server/config.ts'
import { openDatabase } from '../../server/db.ts'
import { createLog } from '../../server/log.ts'
import { openStorage } from '../../server/open-storage.ts'
import { clusterFolder } from '../../server/postgres/cluster.ts'
import { reasonOf } from '../../server/reason-of.ts'
import { isThere } from '../../server/unless-missing.ts'
import { openOwnDatabase } from '../own-database.ts'
import { checkDatabase } from './check-database.ts'
import { checkFiles } from './check-files.ts'
import { checkMachine } from './check-machine.ts'
import { checkNetwork } from './check-network.ts'
import { checkPaymentMode } from './check-payment-mode.ts'
import { checkServices } from './check-services.ts'
import { checkWork } from './check-work.ts'
import { type Finding, wrong } from './finding.ts'

/** What is well and what is not with a Thunder of this configuration, whether it runs or not. It mends nothing. */
export async function examine(
  started: AsyncDisposableStack,
  config: Config,
  { allFiles }: { allFiles: boolean },
): Promise<Finding[]> {
  const log = createLog('silent')
  const findings = [
    ...(await checkMachine(config, log)),
    ...(await checkNetwork(config)),
    ...(await checkServices(config)),
  ]
  if (!config.databaseUrl) {
    const there = await isThere(clusterFolder(config.dataDir)).catch(reasonOf)
    if (there !== true) {
      const found = there || `There is no database in ${config.dataDir}.`
      const todo = 'Set DATA_DIR or DATABASE_URL, or start Thunder for the first time.'
      return [...findings, wrong('database', found, todo)]
    }
  }
  const url = await openOwnDatabase(started, config).catch((error: unknown) => ({ error }))
  if (typeof url !== 'string') {
    const todo = 'Look at postgres.log in DATA_DIR.'
    return [...findings, wrong('database', reasonOf(url.error), todo)]
  }
  const { pool, db } = openDatabase(url, log, { max: 2, connectionTimeoutMillis: 10_000 })
  try {
    const ofDatabase = await checkDatabase(pool, config.replicaUrls)
    findings.push(...ofDatabase)
    if (ofDatabase.some(({ check, state }) => check === 'database' && state === 'wrong')) {
      return findings
    }
    findings.push(...(await checkPaymentMode(db, config)))
    findings.push(...(await checkWork(pool, db)))
    findings.push(...(await checkFiles(openStorage(config, log), pool, { all: allFiles })))
    return findings
  } finally {
    await pool.end()
  }
}
