import { recordAct } from '../src/domains/administration/record-act.ts'
import { notifyEverybody } from '../src/domains/notifications/notify-everybody.ts'
import { readConfig } from '../src/server/config.ts'
import { openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'
import { readAnnouncement } from './read-announcement.ts'

const announcement = readAnnouncement(process.argv.slice(2))
if (typeof announcement === 'string') {
  console.error(announcement)
  process.exit(1)
}

const config = readConfig(process.env)
// Beside a running Thunder its server is used; otherwise one is started for the moment.
const url = config.databaseUrl ?? (await runningPostgresUrl({ dataDir: config.dataDir }))
const own = url ? null : await startEmbeddedPostgres({ dataDir: config.dataDir })
const { db, pool } = openDatabase(url ?? own?.url ?? '', createLog(config.logLevel))
const told = await db.transaction(async (transaction) => {
  const count = await notifyEverybody(transaction, { kind: 'system_announcement', ...announcement })
  await recordAct(transaction, {
    actorId: null,
    action: 'announce',
    subject: { kind: 'announcement', id: null, name: announcement.title },
    reason: announcement.message,
    details: { told: count },
  })
  return count
})
await pool.end()
await own?.stop()
const people = told === 1 ? '1 person is told.' : `${told} people are told.`
console.log(`${people} Mails follow while Thunder runs.`)
