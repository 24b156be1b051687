import { createReadStream } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Client, Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { featureKey } from '../../domains/administration/features.ts'
import { openStore as openPayPalStore } from '../../sandbox/paypal/store.ts'
import { openStore as openStripeStore } from '../../sandbox/stripe/store.ts'
import { migrateDatabase } from '../../server/db.ts'
import { migrateJobs } from '../../server/jobs.ts'
import type { Log } from '../../server/log.ts'
import { columnsOf } from './back-up-database.ts'
import { hasTable, migrationsOf, nameOf, plainValues, tablesOf } from './database-shape.ts'
import type { Manifest } from './manifest.ts'
import { inWords, migrationsFolder, ownTables } from './own-tables.ts'

/** Tables that are named when many are in the way. */
const mostNamed = 5

/** @throws {Error} with a sentence for people, when this Thunder cannot make the tables of the backup */
export function refuseOtherVersion(manifest: Manifest): void {
  const ours = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
  manifest.migrations.forEach(({ hash }, index) => {
    if (ours[index] === hash) return
    throw new Error(
      index < ours.length
        ? 'This backup was made by another Thunder: its migrations are not the ones here.'
        : 'This backup was made by a newer Thunder: restore it with that version, or a later one.',
    )
  })
}

/**
 * Whether a backup may be loaded there: a database that was never used, or one in which a restore that was cut made tables.
 * @throws {Error} with a sentence for people
 */
export async function refuseUsedDatabase(client: Client, manifest: Manifest): Promise<void> {
  const isOwn = ownTables(manifest.migrations)
  const others = (await tablesOf(client)).filter((table) => !isOwn(table))
  if (others.length > 0) {
    const named = inWords(others.slice(0, mostNamed))
    throw new Error(
      `The database holds tables of something else (${named}${others.length > mostNamed ? '…' : ''}): name an empty one.`,
    )
  }
  const applied = await migrationsOf(client)
  if (applied.length === 0) {
    const { rows } = await client.query<{ tables: number }>(
      `select count(*)::int as tables from pg_tables
        where schemaname = any (array['public', 'graphile_worker'])`,
    )
    if (rows[0]!.tables === 0) return
    throw new Error('The database holds tables of something else: name an empty one.')
  }
  const { rows } = await client.query<{ used: boolean }>(
    'select exists (select from users) or exists (select from courses) as used',
  )
  if (rows[0]!.used) {
    throw new Error('The database holds people or courses: a restore needs an empty one.')
  }
  if (applied.length > manifest.migrations.length) {
    throw new Error('The database is of a newer version than the backup: make an empty one.')
  }
}

/** Tables as they were in the version that made the backup. */
export async function migrateUpTo(pool: Pool, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-migrations-'))
  try {
    const journalFile = join('meta', '_journal.json')
    const journal = JSON.parse(await readFile(join(migrationsFolder, journalFile), 'utf8')) as {
      entries: { tag: string }[]
    }
    const entries = journal.entries.slice(0, count)
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, journalFile), JSON.stringify({ ...journal, entries }))
    for (const { tag } of entries) {
      await copyFile(join(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`))
    }
    await migrateDatabase(pool, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Tables that no migration makes, where the backup has them. */
async function makeSandboxTables(pool: Pool, { tables }: Manifest, log: Log): Promise<void> {
  const schemas = new Set(tables.map(({ schema }) => schema))
  const appUrl = 'http://localhost'
  if (schemas.has('stripe_sandbox')) {
    await openStripeStore({ pool, log, appUrl }).then((store) => store.stop())
  }
  if (schemas.has('paypal_sandbox')) {
    await openPayPalStore({ pool, log }).then((store) => store.stop())
  }
}

interface Constraint {
  schema: string
  name: string
  constraint: string
  definition: string
}

/** Of every schema. */
async function foreignKeysOf(client: Client): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(
    `select n.nspname as schema, c.relname as name, quote_ident(o.conname) as constraint,
            pg_get_constraintdef(o.oid) as definition
       from pg_constraint o
       join pg_class c on c.oid = o.conrelid
       join pg_namespace n on n.oid = c.relnamespace
      where o.contype = 'f' and o.conparentid = 0
        and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`,
  )
  return rows
}

async function copyIn(client: Client, folder: string, table: Manifest['tables'][number]) {
  await pipeline(
    createReadStream(join(folder, table.path)),
    createGunzip(),
    client.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`)),
  )
  const rows = await rowsIn(client, table)
  if (rows === table.rows) return
  throw new Error(
    `${table.schema}.${table.name} has ${rows} rows instead of ${table.rows}: nothing was restored.`,
  )
}

async function rowsIn(client: Client, table: { schema: string; name: string }): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    `select count(*)::float8 as rows from ${nameOf(table)}`,
  )
  return rows[0]!.rows
}

/**
 * What was due since the backup was done where it was made. The books know nothing of it: an automatic payout that the
 * first start made up for would be paid a second time.
 */
async function makeUpForNothing(client: Client): Promise<void> {
  await client.query(
    `update graphile_worker._private_known_crontabs
        set last_execution = greatest(last_execution, now())`,
  )
}

/**
 * The books do not know who was paid since the backup: what they show of that could be paid a second time. Paying out
 * stays off until an administrator has compared, where the money is real.
 */
async function holdPayouts(client: Client): Promise<void> {
  const knowsMode = await hasTable(client, 'public.payment_provider')
  if (knowsMode && !(await hasMoneyElsewhere(client))) return
  const notice = 'We are comparing our books with the banks. There is nothing to do.'
  await client.query(
    `insert into settings (key, value)
     values ($1, jsonb_build_object('off', true, 'since', now(), 'notice', $2::text))
     on conflict (key) do nothing`,
    [featureKey('payouts'), notice],
  )
}

/** All rows in one transaction: whoever cuts it leaves an empty database behind. */
async function load(client: Client, folder: string, manifest: Manifest): Promise<void> {
  await client.query('begin')
  try {
    await client.query(plainValues)
    const isOwn = ownTables(manifest.migrations)
    const here = (await tablesOf(client)).filter(isOwn)
    const names = new Set(here.map(nameOf))
    const unknown = manifest.tables.find((table) => !names.has(nameOf(table)))
    if (unknown) {
      throw new Error(`This Thunder has no table ${unknown.schema}.${unknown.name}: use another.`)
    }
    // Made anew after the rows are there, which checks every one of them.
    const foreignKeys = (await foreignKeysOf(client)).filter(isOwn)
    for (const one of foreignKeys) {
      await client.query(`alter table ${nameOf(one)} drop constraint ${one.constraint}`)
    }
    for (const table of here) {
      await client.query(`alter table ${nameOf(table)} disable trigger user`)
    }
    // Migrations and queues write rows of their own.
    await client.query(`truncate ${here.map(nameOf).join(', ')}`)
    for (const table of manifest.tables) await copyIn(client, folder, table)
    await makeUpForNothing(client)
    await holdPayouts(client)
    for (const table of here) {
      await client.query(`alter table ${nameOf(table)} enable trigger user`)
    }
    for (const one of foreignKeys) {
      await client.query(
        `alter table ${nameOf(one)} add constraint ${one.constraint} ${one.definition}`,
      )
    }
    for (const one of manifest.sequences) {
      // One that this version has no more is nobody's loss.
      if (!(await hasTable(client, nameOf(one)))) continue
      await client.query('select setval($1::regclass, $2, $3)', [
        nameOf(one),
        one.value,
        one.isCalled,
      ])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Fills an empty database, whose tables are those of the version that made the backup. */
export async function restoreRows(
  { pool, client, log }: { pool: Pool; client: Client; log: Log },
  folder: string,
  manifest: Manifest,
): Promise<void> {
  await migrateUpTo(pool, manifest.migrations.length)
  await migrateJobs(pool, log)
  await makeSandboxTables(pool, manifest, log)
  await load(client, folder, manifest)
}

/** Whether the rows of this backup are there, and what a restore adds: one that was cut had come so far. */
export async function hasRestoredRows(client: Client, { tables }: Manifest): Promise<boolean> {
  for (const table of tables) {
    if (!(await hasTable(client, nameOf(table))) || (await rowsIn(client, table)) < table.rows) {
      return false
    }
  }
  return true
}

/** Whether money moves at providers of others, who know what the backup does not. */
export async function hasMoneyElsewhere(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ elsewhere: boolean }>(
    // Earlier versions did not note the mode.
    `select coalesce((select to_jsonb(p)->>'mode' <> 'sandbox' from payment_provider p), true) as elsewhere`,
  )
  return rows[0]!.elsewhere
}

/** Changes what was changed since that version. */
export async function bringUpToDate(pool: Pool): Promise<void> {
  await pool.query('analyze')
  await migrateDatabase(pool, migrationsFolder)
}
