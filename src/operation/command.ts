// npm run backup | restore | doctor, and `thunder …` in the container.
import { noteBackup } from '../domains/site/last-backup.ts'
import { type Config, readConfig } from '../server/config.ts'
import { openDatabase } from '../server/db.ts'
import { createLog, type Log } from '../server/log.ts'
import { openStorage } from '../server/open-storage.ts'
import { backUp } from './backup/back-up.ts'
import { restore } from './backup/restore.ts'
import { verifyBackup } from './backup/verify-backup.ts'
import { examine } from './doctor/examine.ts'
import { openOwnDatabase } from './own-database.ts'
import { readCommand } from './read-command.ts'
import { runCommand } from './run-command.ts'

/** Told as the command goes. */
const say = (line: string) => console.log(line)

async function makeBackup(started: AsyncDisposableStack, config: Config, log: Log, folder: string) {
  const databaseUrl = await openOwnDatabase(started, config)
  const storage = await openStorage(config, log)
  const { missing, finishedAt } = await backUp({ config, databaseUrl, storage, say }, folder)
  const { pool, db } = openDatabase(databaseUrl, log, { max: 1 })
  await noteBackup(db, new Date(finishedAt)).finally(() => pool.end())
  if (missing.length > 0) {
    say(`${missing.length} files were deleted meanwhile, or are missing: ${missing.join(', ')}`)
  }
  say(`The backup in ${folder} is whole.`)
  return 0
}

async function restoreBackup(
  started: AsyncDisposableStack,
  config: Config,
  log: Log,
  folder: string,
  withoutSecret: boolean,
) {
  // Before anything is made here.
  const backup = await verifyBackup(folder)
  say(`The backup of ${backup.manifest.madeAt} is whole.`)
  const databaseUrl = await openOwnDatabase(started, config, { mayBeNew: true })
  const storage = await openStorage(config, log)
  await restore({ config, databaseUrl, storage, log, say, withoutSecret }, backup)
  return 0
}

const signs = { well: 'ok   ', note: 'note ', wrong: 'WRONG' } as const

async function consultDoctor(
  started: AsyncDisposableStack,
  config: Config,
  { files, json }: { files: boolean; json: boolean },
) {
  const findings = await examine(started, config, { allFiles: files })
  const isWell = findings.every(({ state }) => state !== 'wrong')
  if (json) {
    say(JSON.stringify({ isWell, findings }, null, 2))
  } else {
    for (const { check, state, found, todo } of findings) {
      say(`${signs[state]} ${check}: ${found}${todo ? `\n        ${todo}` : ''}`)
    }
    say(isWell ? 'Nothing is wrong.' : 'Something is wrong: see above.')
  }
  return isWell ? 0 : 1
}

await runCommand(async (started) => {
  const { command, folder, values } = readCommand(process.argv.slice(2))
  const config = readConfig(process.env)
  // What is well is told by `say`.
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  if (command === 'backup') return makeBackup(started, config, log, folder)
  if (command === 'restore') {
    return restoreBackup(started, config, log, folder, values['without-secret'])
  }
  return consultDoctor(started, config, values)
})
