import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { announce } from '../src/domains/administration/announce.ts'
import type { AnnouncementFacts } from '../src/domains/administration/announcement-schema.ts'
import { tellNextPeople } from '../src/domains/administration/tell-announcement.ts'
import { announcements } from '../src/domains/administration/tables.ts'
import { openOwnDatabase } from '../src/operation/own-database.ts'
import { runCommand } from '../src/operation/run-command.ts'
import { readConfig } from '../src/server/config.ts'
import { type Db, openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'
import { readAnnouncement } from './read-announcement.ts'

/** Answers with how many people were told. */
async function tellEverybody(db: Db, facts: AnnouncementFacts): Promise<number> {
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
  return announcement?.told ?? 0
}

await runCommand(async (started) => {
  const facts = readAnnouncement(process.argv.slice(2))
  if (typeof facts === 'string') throw new Error(facts)
  const url = await openOwnDatabase(started, readConfig(process.env))
  const { db, pool } = openDatabase(url, createLog('silent'))
  const told = await tellEverybody(db, facts).finally(() => pool.end())
  const people = told === 1 ? '1 person is told.' : `${told} people are told.`
  console.log(`${people} Mails follow while Thunder runs.`)
  return 0
})
