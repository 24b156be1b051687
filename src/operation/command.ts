// npm run backup | restore | doctor, and `thunder …` in the container.
import { noteBackup } from '../domains/site/last-backup.ts'
import { type Config, readConfig } from '../server/config.ts'
import { openDatabase } from '../server/db.ts'
import { createLog, type Log } from '../server/log.ts'
import { openStorage } from '../server/open-storage.ts'
import { clusterFolder } from '../server/postgres/cluster.ts'
import { isThere } from '../server/unless-missing.ts'
import { backUp } from './backup/back-up.ts'
import { restore } from './backup/restore.ts'
import { verifyBackup } from './backup/verify-backup.ts'
import { examine } from './doctor/examine.ts'
import { openOwnDatabase } from './own-database.ts'
import { readCommand } from './read-command.ts'

/** Told as the command goes. */
const say = (line: string) => console.log(line)

async function makeBackup(config: Config, log: Log, folder: string) {
  if (!config.databaseUrl) {
    if (!(await isThere(clusterFolder(config.dataDir)))) {
      throw new Error(`There is no Thunder in ${config.dataDir}: set DATA_DIR or DATABASE_URL.`)
    }
  }
  const database = await openOwnDatabase(config)
  try {
    const storage = await openStorage(config, log)
    const needs = { config, databaseUrl: database.url, storage, say }
    const { missing, finishedAt } = await backUp(needs, folder)
    const { pool, db } = openDatabase(database.url, log, { max: 1 })
    await noteBackup(db, new Date(finishedAt)).finally(() => pool.end())
    if (missing.length > 0) {
      say(`${missing.length} files were deleted meanwhile, or are missing: ${missing.join(', ')}`)
    }
    say(`The backup in ${folder} is whole.`)
  } finally {
    await database.stop()
  }
}

async function restoreBackup(config: Config, log: Log, folder: string, withoutSecret: boolean) {
  // Before anything is made here.
  const backup = await verifyBackup(folder)
  say(`The backup of ${backup.manifest.madeAt} is whole.`)
  const database = await openOwnDatabase(config)
  try {
    const storage = await openStorage(config, log)
    await restore({ config, databaseUrl: database.url, storage, log, say, withoutSecret }, backup)
  } finally {
    await database.stop()
  }
}

const signs = { well: 'ok   ', note: 'note ', wrong: 'WRONG' } as const

async function consultDoctor(config: Config, { files, json }: { files: boolean; json: boolean }) {
  const findings = await examine(config, { allFiles: files })
  const isWell = findings.every(({ state }) => state !== 'wrong')
  if (json) {
    say(JSON.stringify({ isWell, findings }, null, 2))
  } else {
    for (const { check, state, found, todo } of findings) {
      say(`${signs[state]} ${check}: ${found}${todo ? `\n        ${todo}` : ''}`)
    }
    say(isWell ? 'Nothing is wrong.' : 'Something is wrong: see above.')
  }
  if (!isWell) process.exitCode = 1
}

async function main() {
  const { command, folder, values } = readCommand(process.argv.slice(2))
  const config = readConfig(process.env)
  // What is well is told by `say`.
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  if (command === 'backup') return makeBackup(config, log, folder)
  if (command === 'restore') return restoreBackup(config, log, folder, values['without-secret'])
  return consultDoctor(config, values)
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
// Connections to an object store stay open for a while.
process.exit()
