// npm run sql: what the operator's page asks of the database, as a process of its own.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { askDatabase } from '../src/operation/ask-database.ts'
import { readCommand } from '../src/operation/read-command.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makePerson } from './factories.ts'

// Commands are processes, which take seconds to begin on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const operations = await readFile('docs/operations.md', 'utf8')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

function sql(...parameters: string[]) {
  const { databaseUrl, services } = app
  const { dataDir } = services.config
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(
      process.execPath,
      ['src/operation/command.ts', 'sql', ...parameters],
      { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir } },
      (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: (stdout + stderr).trim() }),
    )
  })
}

const namesOf = async (...ids: string[]) => {
  const { rows } = await app.services.pool.query(
    'select name from users where id = any($1) order by name',
    [ids],
  )
  return rows.map(({ name }) => name)
}

test('rows are shown as they are, a line each, and nothing in them steers the terminal', async () => {
  const asked = String.raw`select 1 as n, 'Ann' as name, null as since
                            union all select 22, E'B\x1b[2J\nob', '2026-11-23T10:00Z'::timestamptz order by n`
  expect(await sql(asked)).toEqual({
    code: 0,
    said: [
      'n  | name     | since',
      '---+----------+-----------------------',
      '1  | Ann      | null',
      '22 | B [2J ob | 2026-11-23 10:00:00+00',
      '2 rows.',
    ].join('\n'),
  })
})

test('what is changed is counted, once it is done', async () => {
  const [one, other] = [await makePerson(app.services), await makePerson(app.services)]
  const ids = `('${one.id}', '${other.id}')`
  expect(await sql(`update users set name = 'Changed' where id in ${ids};`)).toEqual({
    code: 0,
    said: '2 rows changed.',
  })
  expect(await namesOf(one.id, other.id)).toEqual(['Changed', 'Changed'])
})

test('of very many rows each is shown, and what was done is not said to have failed', async () => {
  let lines = 0
  const asked = 'select n from generate_series(1, 150000) n'
  await askDatabase(app.databaseUrl, asked, () => (lines += 1))
  expect(lines).toBe(150_003)
})

test('one statement at a time; what fails changes nothing and says why', async () => {
  const { id } = await makePerson(app.services, { name: 'Before' })
  const change = `update users set name = 'After' where id = '${id}'`
  expect(await sql(`${change}; delete from users where false`)).toEqual({
    code: 1,
    said: 'cannot insert multiple commands into a prepared statement',
  })
  expect(await sql('select * from nowhere')).toEqual({
    code: 1,
    said: 'relation "nowhere" does not exist',
  })
  expect(await namesOf(id)).toEqual(['Before'])
})

// Without the quotation marks the shell makes many of it.
test.each([[[]], [['select', '1']]])(
  'what is not one statement is answered by how it is: %j',
  (typed) => {
    expect(() => readCommand(['sql', ...typed])).toThrow('npm run sql -- "select 1"')
  },
)

test('the statement of the operator’s page that lets somebody in forgets each of their attempts', async () => {
  const { rateLimits, pool } = app.services
  const account = 'ann@example.com'
  const pair = `${account} 203.0.113.7`
  await rateLimits.loginByAccountAndAddress.count(pair)
  await rateLimits.codesByReceiverAndAddress.count(pair)
  await rateLimits.mailByRecipientAndAddress.count(pair)
  await rateLimits.signUpByAccount.count(account)
  await rateLimits.codesByReceiverAndAddress.count('bea@example.com 203.0.113.7')
  const [, statement = ''] = /To let somebody in at once[^`]*`([^`]+)`/.exec(operations)!
  await pool.query(statement)
  const { rows } = await pool.query('select key from rate_limits')
  expect(rows).toEqual([{ key: 'code-pair:bea@example.com 203.0.113.7' }])
})

test('every statement of the operator’s page can be asked', async () => {
  const statements = [...operations.matchAll(/`((?:select|delete from|update) [^`]+)`/g)]
  expect(statements.length).toBeGreaterThan(8)
  const client = await app.services.pool.connect()
  try {
    for (const [index, [, statement]] of statements.entries()) {
      await client.query('begin')
      const filled = statement!.replaceAll('…', '00000000-0000-4000-8000-000000000000')
      // One statement each, as the command takes it.
      const asked = client.query({ name: `asked ${index}`, text: filled })
      await expect(asked, filled).resolves.toBeDefined()
      await client.query('rollback')
    }
  } finally {
    client.release(true)
  }
})
