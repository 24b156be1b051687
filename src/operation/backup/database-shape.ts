// What there is to copy in a database, asked within the transaction that copies it.
import { type ClientBase, escapeIdentifier } from 'pg'
import type { Migration, Sequence } from './manifest.ts'
import { isOwnSchema } from './own-tables.ts'

export interface Table {
  schema: string
  name: string
  columns: string[]
}

export const nameOf = ({ schema, name }: { schema: string; name: string }) =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`

/**
 * Tables whose rows are left out: those that migrations write themselves, and what was told to open tabs within the
 * last hour, whose numbers of transactions mean nothing in another database.
 */
const leftOut = ['drizzle.__drizzle_migrations', 'graphile_worker.migrations', 'public.live_events']

/** Those of every schema that last; unlogged ones (caught mails) do not. */
export async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name,
            array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
        and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
        and n.nspname || '.' || c.relname <> all($1)
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      group by 1, 2 order by 1, 2`,
    [leftOut],
  )
  return rows
}

/** Sequences know no transactions: read after the rows were, they are never behind them. */
export async function sequencesOf(
  client: ClientBase,
  isOwn: (table: Pick<Table, 'schema' | 'name'>) => boolean,
): Promise<Sequence[]> {
  const { rows } = await client.query<{ schema: string; name: string; table: string | null }>(
    `select n.nspname as schema, c.relname as name, t.relname as table
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
       left join pg_class t on t.oid = d.refobjid
      where c.relkind = 'S' and c.relpersistence = 'p' and n.nspname <> 'drizzle'
        and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      order by 1, 2`,
  )
  const sequences: Sequence[] = []
  for (const { table, ...one } of rows) {
    // One that no table has as its own goes with its schema.
    if (table ? !isOwn({ ...one, name: table }) : !isOwnSchema(one.schema)) continue
    const { rows: found } = await client.query<Pick<Sequence, 'value' | 'isCalled'>>(
      `select last_value::text as value, is_called as "isCalled" from ${nameOf(one)}`,
    )
    sequences.push({ ...one, ...found[0]! })
  }
  return sequences
}

export async function hasTable(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [name],
  )
  return rows[0]!.there
}

/** Those that were applied, in their order. */
export async function migrationsOf(client: ClientBase): Promise<Migration[]> {
  if (!(await hasTable(client, 'drizzle.__drizzle_migrations'))) return []
  const { rows } = await client.query<Migration>(
    `select hash, created_at::float8 as "createdAt" from drizzle.__drizzle_migrations
      order by created_at`,
  )
  return rows
}

/** How values are written, whatever the server or the role has set: the same when they are read again. */
export const plainValues = `
  set local client_encoding = 'UTF8'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local timezone = 'UTC';
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local search_path = public, pg_catalog`
