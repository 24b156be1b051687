import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  migrationsOf,
  nameOf,
  plainValues,
  sequencesOf,
  type Table,
  tablesOf,
} from './database-shape.ts'
import type { Manifest, TablePart } from './manifest.ts'
import { inWords, ownTables } from './own-tables.ts'
import { writePart } from './write-part.ts'

export type DatabasePart = Pick<Manifest, 'postgres' | 'migrations' | 'tables' | 'sequences'>

interface Copying<Answer> {
  folder: string
  say: (line: string) => void
  /** A moment that somebody else holds (`pg_export_snapshot`); now, unless it is said. */
  snapshot?: string
  /** What else is asked as of that moment. */
  ask: (client: ClientBase) => Promise<Answer>
}

/** Copies every table of Thunder as it was at one moment, while others write. */
export async function backUpDatabase<Answer>(
  client: ClientBase,
  { folder, say, snapshot, ask }: Copying<Answer>,
): Promise<DatabasePart & { answer: Answer }> {
  await client.query('begin isolation level repeatable read read only')
  try {
    if (snapshot) await client.query(`set transaction snapshot ${escapeLiteral(snapshot)}`)
    await client.query(plainValues)
    const migrations = await migrationsOf(client)
    if (migrations.length === 0) {
      throw new Error('There is nothing to back up: no Thunder ever used this database.')
    }
    const isOwn = ownTables(migrations)
    const all = await tablesOf(client)
    const tables = all.filter(isOwn)
    const others = all.filter((table) => !isOwn(table))
    if (others.length > 0) say(`Not Thunder's, so not part of the backup: ${inWords(others)}.`)
    // Else a migration could rewrite one before its turn, and it would look empty.
    await client.query(`lock table ${tables.map(nameOf).join(', ')} in access share mode`)
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    )
    const parts: TablePart[] = []
    for (const table of tables) {
      const part = await copyOut(client, folder, table)
      if (part.rows > 0) say(`${table.schema}.${table.name}: ${part.rows} rows`)
      parts.push(part)
    }
    const sequences = await sequencesOf(client, isOwn)
    const answer = await ask(client)
    return { postgres: rows[0]!.version, migrations, tables: parts, sequences, answer }
  } finally {
    await client.query('rollback').catch(() => {})
  }
}

export const columnsOf = ({ columns }: Pick<Table, 'columns'>) =>
  columns.map(escapeIdentifier).join(', ')

async function copyOut(client: ClientBase, folder: string, table: Table): Promise<TablePart> {
  const path = `database/${table.schema}.${table.name}.copy.gz`
  let rows = 0
  const part = await pipeline(
    client.query(copyTo(`copy ${nameOf(table)} (${columnsOf(table)}) to stdout`)),
    async function* count(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        // One line for each row; line breaks within values are escaped.
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1
        yield chunk
      }
    },
    createGzip({ level: 1 }),
    (packed: AsyncIterable<Uint8Array>) => writePart(folder, path, packed),
  )
  return { ...part, ...table, rows }
}
