import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { migrateDatabase, openDatabase } from './db.ts'
import { executePrepared } from './execute-prepared.ts'
import { createLog } from './log.ts'

/** Statements that a connection of the pool knows by name, after each way of naming one was used. */
async function namesKnown(prepared: boolean) {
  const url = new URL(inject('templateUrl'))
  url.pathname = '/postgres'
  const { pool, db } = openDatabase(url.href, createLog('silent'), { prepared, max: 1 })
  try {
    const named = { name: 'answer', text: 'select $1::int as answer', values: [42] }
    expect((await pool.query(named)).rows).toEqual([{ answer: 42 }])
    expect((await pool.query({ ...named, rowMode: 'array' })).rows).toEqual([[42]])
    const client = await pool.connect()
    expect((await client.query({ name: 'more', text: 'select 1 as one' })).rows[0].one).toBe(1)
    client.release()
    const question = db
      .select({ one: sql<number>`1` })
      .from(sql`(values (1)) as v`)
      .prepare('drizzled')
    expect(await question.execute()).toEqual([{ one: 1 }])
    const { rows } = await pool.query('select name from pg_prepared_statements order by name')
    return rows.map(({ name }) => name)
  } finally {
    await pool.end()
  }
}

test('statements are prepared under their names', async () => {
  expect(await namesKnown(true)).toEqual(['answer', 'drizzled', 'more'])
})

test.each([
  [true, '10'],
  [false, '0'],
])(
  'PostgreSQL looks whether a client is still there, where nothing is between: %s',
  async (isDirect, seconds) => {
    const url = new URL(inject('templateUrl'))
    url.pathname = '/postgres'
    const { pool } = openDatabase(url.href, createLog('silent'), { isDirect, max: 1 })
    try {
      const { rows } = await pool.query('show tcp_keepalives_idle')
      const kernels = isDirect ? seconds : rows[0].tcp_keepalives_idle
      expect(rows).toEqual([{ tcp_keepalives_idle: kernels }])
      if (!isDirect) expect(kernels).not.toBe('10')
    } finally {
      await pool.end()
    }
  },
)

test('for a pooler, names are left out, whoever gave them', async () => {
  expect(await namesKnown(false)).toEqual([])
})

test('what is sent often is prepared once for each text, and each time answered', async () => {
  const url = new URL(inject('templateUrl'))
  url.pathname = '/postgres'
  const { pool, db } = openDatabase(url.href, createLog('silent'), { max: 1 })
  onTestFinished(() => pool.end())
  const plus = async (one: number, other: number) =>
    (await executePrepared<{ sum: number }>(db, sql`select ${one}::int + ${other} as sum`)).rows
  expect([await plus(1, 2), await plus(3, 4)]).toEqual([[{ sum: 3 }], [{ sum: 7 }]])
  await db.transaction(async (transaction) => {
    const { rows } = await executePrepared(transaction, sql`select ${5}::int as number`)
    expect(rows).toEqual([{ number: 5 }])
  })
  const { rows } = await pool.query('select statement from pg_prepared_statements order by 1')
  expect(rows.map(({ statement }) => statement)).toEqual([
    'select $1::int + $2 as sum',
    'select $1::int as number',
  ])
})

test('a PostgreSQL that is too old is refused in words, before anything is made in it', async () => {
  const url = new URL(inject('templateUrl'))
  url.pathname = '/postgres'
  const name = `old_${randomUUID().replaceAll('-', '')}`
  const { pool } = openDatabase(url.href, createLog('silent'), { max: 1 })
  await pool.query(`create database ${name}`)
  await pool.end()
  url.pathname = `/${name}`
  // What comes before pg_catalog in the path says what a former one would say.
  url.searchParams.set('options', '-c search_path=former,pg_catalog,public')
  const former = openDatabase(url.href, createLog('silent'), { max: 1 })
  onTestFinished(() => former.pool.end())
  await former.pool.query(`
    create schema former;
    create function former.current_setting(text) returns text language sql
      as $$ select case $1 when 'server_version_num' then '170006' else '17.6' end $$`)
  await expect(migrateDatabase(former.pool, 'migrations')).rejects.toThrow(
    'PostgreSQL 17.6 is too old. Upgrade it to 18.',
  )
  const { rows } = await former.pool.query(`select to_regnamespace('drizzle') is null as none`)
  expect(rows).toEqual([{ none: true }])
})

test('an older version says that the database was migrated by a later one, and works on it', async () => {
  const lines: string[] = []
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = createLog('warn', { to })
  const app = await startTestApp({ JOBS: 'off' }, log)
  onTestFinished(() => app.stop())
  const said = () => lines.filter((line) => line.includes('later version'))
  expect(said()).toEqual([])
  await app.services.pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', 9e15)`,
  )
  const older = await startTestApp({ DATABASE_URL: app.databaseUrl, JOBS: 'off' }, log)
  onTestFinished(() => older.stop())
  expect(said().map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, migrations: 1 }),
  ])
  expect((await older.request('/readyz')).status).toBe(200)
})
