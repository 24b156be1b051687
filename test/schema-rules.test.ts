// The rules of docs/growth.md that keep a distributed PostgreSQL possible, asked of a migrated database.
import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  crossing,
  hotIndexes,
  otherIds,
  otherNumbers,
  otherUniques,
  tables,
  twoSteps,
} from './schema-rules.ts'

let database: Client
beforeAll(async () => {
  database = new Client({ connectionString: inject('templateUrl') })
  await database.connect()
})
afterAll(() => database.end())

const rowsOf = async <Row extends object>(text: string) => (await database.query<Row>(text)).rows
const namesOf = async (text: string) =>
  (await rowsOf<{ name: string }>(text)).map(({ name }) => name)
const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted()

interface Index {
  table: string
  name: string
  columns: string[]
  isUnique: boolean
  isPrimary: boolean
  /** Null where it has all rows. */
  where: string | null
}

const indexes = () =>
  rowsOf<Index>(
    `select t.relname as table, i.relname as name, x.indisunique as "isUnique",
            x.indisprimary as "isPrimary", pg_get_expr(x.indpred, x.indrelid) as where,
            array(select coalesce(a.attname, '()')::text from unnest(x.indkey::int2[]) with ordinality k (number, at)
                   left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number
                   order by k.at) as columns
       from pg_index x
       join pg_class i on i.oid = x.indexrelid
       join pg_class t on t.oid = x.indrelid and t.relkind = 'r'
      where t.relnamespace = 'public'::regnamespace order by 1, 2`,
  )

interface ForeignKey {
  table: string
  column: string
  to: string
}

/** Each is of one column. */
const foreignKeys = () =>
  rowsOf<ForeignKey>(
    `select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as to
       from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by 1, 2`,
  )

const columnsOfType = (types: string[]) =>
  namesOf(
    `select c.table_name || '.' || c.column_name as name
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and c.data_type in (${types.map((type) => `'${type}'`).join(', ')})`,
  )

const ownColumn = { course: 'course_id', person: 'user_id' }

test('each table has said how it grows and where its rows would live, and has a primary key', async () => {
  const all = await namesOf(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  expect(sorted(Object.keys(tables))).toEqual(sorted(all))
  const withKey = (await indexes()).filter((one) => one.isPrimary).map((one) => one.table)
  expect(sorted(withKey)).toEqual(sorted(all))
})

test('ids are uuid v7 that the database makes; nothing counts up but what is named', async () => {
  const others = await namesOf(
    `select c.table_name || '.' || c.column_name as name
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and ((c.column_name = 'id' and coalesce(c.column_default, '') <> 'uuidv7()')
             or c.is_identity = 'YES' or c.column_default like 'nextval(%')`,
  )
  expect(sorted(others)).toEqual(sorted(Object.keys(otherIds)))
})

test('times are points in time, and numbers are whole', async () => {
  expect(
    await columnsOfType([
      'timestamp without time zone',
      'time without time zone',
      'time with time zone',
    ]),
  ).toEqual([])
  const inexact = await columnsOfType(['money', 'numeric', 'real', 'double precision'])
  expect(sorted(inexact)).toEqual(sorted(Object.keys(otherNumbers)))
})

test('each foreign key is the beginning of an index with all rows that have it', async () => {
  const all = await indexes()
  const without = (await foreignKeys()).filter(
    ({ table, column }) =>
      !all.some(
        (one) =>
          one.table === table &&
          one.columns[0] === column &&
          (one.where === null || one.where === `(${column} IS NOT NULL)`),
      ),
  )
  expect(without).toEqual([])
})

test('each row says beside which course or person it lives, itself or by what it refers to', async () => {
  const keys = await foreignKeys()
  const columns = new Set(
    await namesOf(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
    ),
  )
  const lost: string[] = []
  const far: string[] = []
  for (const [table, place] of Object.entries(tables)) {
    if (place.home === 'together') continue
    const says = (name: string) => {
      const other = tables[name]
      if (other === undefined || other.home !== place.home) return false
      return ['id', 'owner_id', ownColumn[other.home]].includes(other.by)
    }
    if (!columns.has(`${table}.${place.by}`)) lost.push(table)
    else if (!says(table)) {
      const parent = keys.find((key) => key.table === table && key.column === place.by)
      if (!parent || tables[parent.to]?.home !== place.home) lost.push(table)
      else if (!says(parent.to)) far.push(table)
    }
  }
  expect([lost, sorted(far)]).toEqual([[], sorted(Object.keys(twoSteps))])
})

test('what is unique is so beside its course or person, or is named', async () => {
  const others = (await indexes()).filter(({ table, columns, isUnique, isPrimary }) => {
    const place = tables[table]
    if (!isUnique || !place || place.home === 'together') return false
    if (isPrimary && columns.join() === 'id') return false
    return !columns.includes(place.by)
  })
  expect(sorted(others.map(({ name }) => name))).toEqual(sorted(Object.keys(otherUniques)))
})

test('no index of what grows begins with a time or a state, but those that are named', async () => {
  const kinds = await columnsOfType(['timestamp with time zone', 'date', 'boolean'])
  const same = new Set(kinds)
  const isSame = (table: string, column = '') =>
    same.has(`${table}.${column}`) || ['status', 'kind', 'category', 'price_class'].includes(column)
  const hot = (await indexes()).filter(
    ({ table, columns }) => tables[table]?.grows !== 'fixed' && isSame(table, columns[0]),
  )
  expect(sorted(hot.map(({ name }) => name))).toEqual(sorted(Object.keys(hotIndexes)))
})

test('foreign keys that lead elsewhere are known', async () => {
  const beside = (table: string) => tables[table]?.home
  const found = (await foreignKeys()).filter(
    ({ table, to }) => to !== 'users' && beside(table) !== beside(to),
  )
  expect(sorted(found.map(({ table, column }) => `${table}.${column}`))).toEqual(sorted(crossing))
})

test('a saved place, of all writes the most frequent, changes no index', async () => {
  const changed = ['seconds', 'watched', 'watch_credit', 'updated_at']
  const found = (await indexes()).filter(({ table }) => table === 'lesson_positions')
  expect(found.length).toBeGreaterThan(2)
  const written = found.filter(({ columns }) => columns.some((column) => changed.includes(column)))
  expect(written.map(({ name }) => name)).toEqual([])
  expect(
    await namesOf(
      `select unnest(reloptions) as name from pg_class where relname = 'lesson_positions'`,
    ),
  ).toEqual(['fillfactor=80'])
})

test('growth.md counts the same', async () => {
  const growth = await readFile('docs/growth.md', 'utf8')
  const at = (home: string) => Object.values(tables).filter((table) => table.home === home).length
  const reasons = Object.values(otherUniques)
  const everywhere = reasons.filter((reason) => reason.includes('unique over all nodes')).length
  const steps = Object.values(tables).filter(
    (table) => table.home === 'course' && !['id', 'course_id'].includes(table.by),
  )
  for (const words of [
    `the community: ${at('course')} tables`,
    `(sessions, notices, files: ${at('person')})`,
    `those who run it write: ${at('together')})`,
    `${crossing.length} of ours lead elsewhere`,
    `email, username, slug, token: ${everywhere})`,
    `Tables for the ${everywhere} names that are unique everywhere.`,
    `in front of ${reasons.length - everywhere} unique keys`,
    `${steps.length} tables reach it in one or two steps`,
  ]) {
    expect(growth).toContain(words)
  }
})
