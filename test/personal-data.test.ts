// Every domain says what it has of a person: the declarations are compared with the live database, so that
// a table or a column that nobody declared fails here.
import { randomUUID } from 'node:crypto'
import { eq, getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../src/domains/accounts/tables.ts'
import { personalData } from '../src/personal-data.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makePerson } from './factories.ts'
import { makeWholePerson } from './whole-person.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const declared = personalData.flatMap(({ tables }) => Object.values(tables))
const aboutNobody = personalData.flatMap(({ aboutNobody: tables = [] }) => tables)
const nameOf = ({ table }: { table: PgTable }) => getTableName(table)

async function tablesOf(database: TestApp['services']['pool']): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Tables with a reference to a person, or with a column that is called like one. */
async function tablesOfPeople(database: TestApp['services']['pool']): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select c.conrelid::regclass::text as name from pg_constraint c
      where c.contype = 'f' and c.confrelid = 'users'::regclass
      union
     select table_name from information_schema.columns
      where table_schema = 'public'
        and column_name ~ '^(user|owner|instructor|creator|author|member|student|sender|recipient|reviewer|person|buyer|seller|payer|payee|customer|reporter|moderator|follower|actor)s?(_id)?$|_by(_id)?$|e_?mail'
      order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function columnsOf(database: TestApp['services']['pool'], table: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 order by 1`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/** What nobody has said anything about. */
async function undeclared(database: TestApp['services']['pool']) {
  const known = new Set([...declared, ...aboutNobody].map(nameOf))
  const personal = new Set(declared.map(nameOf))
  const tables = (await tablesOf(database)).filter((name) => !known.has(name))
  const people = (await tablesOfPeople(database)).filter((name) => !personal.has(name))
  const columns: string[] = []
  for (const one of declared) {
    const mentioned = new Set(
      Object.entries(getTableColumns(one.table))
        .filter(([name]) => name in one.columns)
        .map(([, column]) => column.name),
    )
    for (const column of await columnsOf(database, nameOf(one))) {
      if (!mentioned.has(column)) columns.push(`${nameOf(one)}.${column}`)
    }
  }
  return { tables, people, columns }
}

test('every table and every column is in a declaration', async () => {
  expect((await tablesOfPeople(app.services.pool)).length).toBeGreaterThan(10)
  expect(await undeclared(app.services.pool)).toEqual({ tables: [], people: [], columns: [] })
})

test('each table is declared once, and is there', async () => {
  const names = [...declared, ...aboutNobody].map(nameOf)
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  expect(names.toSorted()).toEqual(await tablesOf(app.services.pool))
  const sections = personalData.flatMap(({ tables }) => Object.keys(tables))
  expect(sections).toHaveLength(new Set(sections).size)
})

describe('what a later domain might forget is noticed:', () => {
  const forgotten = async (statement: string, undo: string) => {
    await app.services.pool.query(statement)
    const found = await undeclared(app.services.pool)
    await app.services.pool.query(undo)
    return found
  }

  test('a table with a reference to a person', async () => {
    expect(
      await forgotten(
        'create table letters (id uuid primary key, written_by_whom uuid references users (id))',
        'drop table letters',
      ),
    ).toEqual({ tables: ['letters'], people: ['letters'], columns: [] })
  })

  test.each(['user_id', 'instructor_id', 'reviewed_by', 'recipient_email'])(
    'a table with a column called %s',
    async (column) => {
      const found = await forgotten(
        `create table letters (id uuid primary key, ${column} text)`,
        'drop table letters',
      )
      expect(found).toEqual({ tables: ['letters'], people: ['letters'], columns: [] })
    },
  )

  test('a table that names nobody: somebody has to say so', async () => {
    expect(
      await forgotten('create table palettes (id uuid primary key)', 'drop table palettes'),
    ).toEqual({ tables: ['palettes'], people: [], columns: [] })
  })

  test('a reference to a person in a table that was said to be about nobody', async () => {
    expect(
      await forgotten(
        'alter table settings add column changed_by uuid references users (id)',
        'alter table settings drop column changed_by',
      ),
    ).toEqual({ tables: [], people: ['settings'], columns: [] })
  })

  test('a column of a declared table', async () => {
    expect(
      await forgotten(
        'alter table enrollments add column favourite_colour text',
        'alter table enrollments drop column favourite_colour',
      ),
    ).toEqual({ tables: [], people: [], columns: ['enrollments.favourite_colour'] })
  })
})

test('what becomes of the rows is one of three, and what is about nobody says why', () => {
  for (const one of declared) {
    expect(one.about, nameOf(one)).toMatch(/\w+ \w+/)
    if (typeof one.onDeletion === 'object') expect(one.onDeletion.kept).toMatch(/\w+ \w+/)
    else expect(['deleted', 'anonymised'], nameOf(one)).toContain(one.onDeletion)
  }
  for (const one of aboutNobody) expect(one.because, nameOf(one)).toMatch(/\w+ \w+/)
})

test('rows are about whom they are about, and about nobody else', async () => {
  const { services } = app
  const [teacher, member] = [await makePerson(services), await makePerson(services)]
  const { id } = await makeWholePerson(services, 'Wilma Whole', { teacher, member })
  const [whole] = await services.db
    .select({ id: users.id, email: users.email, phoneNumber: users.phoneNumber })
    .from(users)
    .where(eq(users.id, id))
  const nobody = { id: randomUUID(), email: 'nobody@example.com', phoneNumber: '+15550100' }
  for (const one of declared) {
    const [theirs, others] = [one.rowsOf(whole!), one.rowsOf(nobody)]
    expect(await services.db.$count(one.table, theirs), nameOf(one)).toBeGreaterThan(0)
    expect(await services.db.$count(one.table, others), nameOf(one)).toBe(0)
  }
})

test('what opens an account is withheld, and what is withheld has a reason', () => {
  const secrets =
    /^(token|accessToken|refreshToken|idToken|password|secret|backupCodes|value|codeHash|privateKey)$/
  for (const one of declared) {
    for (const [column, given] of Object.entries(one.columns)) {
      const where = `${nameOf(one)}.${column}`
      if (secrets.test(column)) expect(given, where).not.toBe('exported')
      if (given !== 'exported') expect(given.withheld, where).toMatch(/\w+ \w+/)
    }
  }
})
