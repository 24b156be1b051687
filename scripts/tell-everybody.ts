import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { announce } from '../src/domains/administration/announce.ts'
import { tellNextPeople } from '../src/domains/administration/tell-announcement.ts'
import { announcements } from '../src/domains/administration/tables.ts'
import { readConfig } from '../src/server/config.ts'
import { openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'
import { readAnnouncement } from './read-announcement.ts'

const facts = readAnnouncement(process.argv.slice(2))
if (typeof facts === 'string') {
  console.error(facts)
  process.exit(1)
}

const config = readConfig(process.env)
// Beside a running Thunder its server is used; otherwise one is started for the moment.
const url =
  config.directDatabaseUrl ??
  config.databaseUrl ??
  (await runningPostgresUrl({ dataDir: config.dataDir }))
const own = url ? null : await startEmbeddedPostgres({ dataDir: config.dataDir })
const { db, pool } = openDatabase(url ?? own?.url ?? '', createLog(config.logLevel))
const announcementId = randomUUID()
await db.transaction((transaction) =>
  announce(transaction, { announcementId, actorId: null, ...facts }),
)
// A running Thunder does the same at the same time, and whatever is left when this is stopped.
while (await db.transaction((transaction) => tellNextPeople(transaction, announcementId)));
const [announcement] = await db
  .select({ told: announcements.toldCount })
  .from(announcements)
  .where(eq(announcements.id, announcementId))
await pool.end()
await own?.stop()
const told = announcement?.told ?? 0
const people = told === 1 ? '1 person is told.' : `${told} people are told.`
console.log(`${people} Mails follow while Thunder runs.`)
