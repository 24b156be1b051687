// npm run backup | restore | doctor | payment-mode | sql, and `thunder …` in the container.
import { setMode } from '../domains/payments/payment-mode.ts'
import { noteBackup } from '../domains/site/last-backup.ts'
import { type Config, readConfig } from '../server/config.ts'
import { openDatabase } from '../server/db.ts'
import { createLog, type Log } from '../server/log.ts'
import { openStorage } from '../server/open-storage.ts'
import type { PaymentMode } from '../server/stripe.ts'
import { askDatabase } from './ask-database.ts'
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

async function changePaymentMode(
  started: AsyncDisposableStack,
  config: Config,
  log: Log,
  mode: PaymentMode,
) {
  const { pool, db } = openDatabase(await openOwnDatabase(started, config), log, { max: 1 })
  const before = await setMode(db, mode).finally(() => pool.end())
  say(`The payment mode of this database is ${mode}; it was ${before ?? 'not kept yet'}.`)
  if (before === mode) return 0
  say('Restart every Thunder on it, with the keys of that mode. Balances are paid out in it.')
  return 0
}

await runCommand(async (started) => {
  const typed = readCommand(process.argv.slice(2))
  const config = readConfig(process.env)
  // What is well is told by `say`.
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  switch (typed.command) {
    case 'backup':
      return makeBackup(started, config, log, typed.folder)
    case 'restore':
      return restoreBackup(started, config, log, typed.folder, typed.values['without-secret'])
    case 'payment-mode':
      return changePaymentMode(started, config, log, typed.mode)
    case 'sql':
      await askDatabase(await openOwnDatabase(started, config), typed.statement, say)
      return 0
    case 'doctor':
      return consultDoctor(started, config, typed.values)
  }
})
