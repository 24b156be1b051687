import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migrateDatabase } from '../src/server/db.ts'
import { findingsIn, lastExempt } from './migration-rules.ts'

test('migrations let the version before them work on', async () => {
  const files = (await readdir('migrations')).filter((file) => /^\d{4}_.*\.sql$/.test(file))
  expect(files.length).toBeGreaterThan(lastExempt)
  const wrong: Record<string, unknown> = {}
  for (const file of files) {
    if (Number(file.slice(0, 4)) <= lastExempt) continue
    const findings = findingsIn(await readFile(join('migrations', file), 'utf8'))
    if (findings.length > 0) wrong[file] = findings
  }
  expect(wrong).toEqual({})
})

describe('a migration may not', () => {
  test.each([
    'DROP TABLE "posts";',
    'ALTER TABLE "posts" DROP COLUMN "title";',
    'alter table posts drop title;',
    'ALTER TABLE "posts" RENAME COLUMN "title" TO "name";',
    'ALTER TABLE "posts" RENAME TO "articles";',
    'ALTER TABLE "posts" ADD COLUMN "kind" text NOT NULL;',
    'ALTER TABLE "posts" ADD COLUMN "a" text, ADD COLUMN "kind" text NOT NULL;',
    'ALTER TABLE "posts" ALTER COLUMN "title" SET NOT NULL;',
    'ALTER TABLE "posts" ALTER COLUMN "likes" SET DATA TYPE bigint;',
    'ALTER TABLE "posts" ALTER COLUMN "likes" TYPE bigint;',
    'ALTER TABLE "posts" ADD CONSTRAINT "p_x_fk" FOREIGN KEY ("x") REFERENCES "x"("id");',
    'ALTER TABLE "posts" ADD CONSTRAINT "likes_check" CHECK (likes >= 0);',
    'CREATE INDEX "posts_kind" ON "posts" USING btree ("kind");',
    'CREATE UNIQUE INDEX "posts_kind" ON posts (kind);',
    `UPDATE "posts" SET "kind" = 'x';`,
    'DELETE FROM posts;',
    'TRUNCATE posts;',
    'LOCK TABLE posts;',
    // Said of one statement, not of the next.
    'CREATE INDEX a ON fixed (a); -- allowed: ten rows\n--> statement-breakpoint\nCREATE INDEX b ON posts (b);',
    'CREATE TABLE "news" (id int);--> statement-breakpoint\nDROP TABLE "posts";',
  ])('%s', (sql) => {
    expect(findingsIn(sql)).toHaveLength(1)
  })
})

describe('a migration may', () => {
  test.each([
    'CREATE TABLE "news" ("id" uuid PRIMARY KEY, "text" text NOT NULL);',
    'CREATE TABLE "news" (id int);--> statement-breakpoint\nCREATE INDEX "n" ON "news" ("id");--> statement-breakpoint\nALTER TABLE "news" ADD CONSTRAINT f FOREIGN KEY (id) REFERENCES posts(id);',
    'ALTER TABLE "posts" ADD COLUMN "kind" text;',
    `ALTER TABLE "posts" ADD COLUMN "kind" text DEFAULT 'x' NOT NULL;`,
    'ALTER TABLE "posts" ALTER COLUMN "kind" DROP NOT NULL;',
    'ALTER TABLE "posts" DROP CONSTRAINT "posts_kind_check";',
    'ALTER TABLE "posts" ADD CONSTRAINT f FOREIGN KEY (x) REFERENCES x(id) NOT VALID;',
    'ALTER TABLE "posts" VALIDATE CONSTRAINT f;',
    'DROP INDEX "posts_kind";',
    'CREATE INDEX "s" ON "settings" ("key"); -- allowed: a few rows',
    `CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN UPDATE posts SET x = 1; DROP TABLE x; END $$ LANGUAGE plpgsql;`,
    `-- We would rename it, but cannot.\nCOMMENT ON TABLE posts IS 'drop table; rename';`,
  ])('%s', (sql) => {
    expect(findingsIn(sql)).toEqual([])
  })
})

describe('migrating', () => {
  let url: string
  let pool: Pool
  let folder: string
  beforeAll(async () => {
    const database = `test_${randomUUID().replaceAll('-', '')}`
    const admin = new URL(inject('templateUrl'))
    admin.pathname = '/postgres'
    const client = new Client({ connectionString: admin.href })
    await client.connect()
    await client.query('select pg_advisory_lock(4242)')
    await client.query(`create database ${database} template template`)
    await client.end()
    admin.pathname = `/${database}`
    url = admin.href
    pool = new Pool({ connectionString: url })
    folder = await mkdtemp(join(tmpdir(), 'thunder-migrations-'))
    await cp('migrations', folder, { recursive: true })
  })
  afterAll(async () => {
    await pool?.end()
    await rm(folder, { recursive: true, force: true })
  })

  const applied = async () =>
    (await pool.query('select hash from drizzle.__drizzle_migrations order by created_at')).rows

  /** One more migration, as the next version would have it. */
  async function addMigration(sql: string): Promise<void> {
    const file = join(folder, 'meta/_journal.json')
    const journal = JSON.parse(await readFile(file, 'utf8'))
    const last = journal.entries.at(-1)
    const tag = `${String(last.idx + 1).padStart(4, '0')}_next`
    journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag })
    await writeFile(file, JSON.stringify(journal))
    await writeFile(join(folder, `${tag}.sql`), sql)
  }

  test('at once on several nodes is done once', async () => {
    await addMigration('CREATE TABLE "next_version" ("id" int)')
    const before = (await applied()).length
    await Promise.all([1, 2, 3].map(() => migrateDatabase(pool, folder)))
    expect(await applied()).toHaveLength(before + 1)
  })

  test('an older version that starts later finds nothing to do, and undoes nothing', async () => {
    const before = await applied()
    await migrateDatabase(pool, 'migrations')
    expect(await applied()).toEqual(before)
    await pool.query('select from next_version')
  })

  test('nobody waits behind a migration that waits for a table', async () => {
    await addMigration('ALTER TABLE "settings" ADD COLUMN "next_version" text')
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin; select from settings limit 1')
    let isDone = false
    const migrating = migrateDatabase(pool, folder).then(() => (isDone = true))
    const waiting = `select count(*)::int as waiting from pg_locks
      where relation = 'settings'::regclass and not granted and mode = 'AccessExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await pool.query(waiting)).rows[0].waiting).toBe(1)
    // Behind the migration in line, and yet served before the holder goes on.
    await pool.query('select key from settings')
    expect(isDone).toBe(false)
    await holder.query('commit')
    await holder.end()
    await migrating
    await pool.query('select next_version from settings')
    const { rows } = await pool.query(
      `select count(*)::int as held from pg_locks
        where locktype = 'advisory' and objid = 727274
          and database = (select oid from pg_database where datname = current_database())`,
    )
    expect(rows[0].held).toBe(0)
  })
})
