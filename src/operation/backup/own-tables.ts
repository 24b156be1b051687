// Which tables are Thunder's, where an operator or another program keeps some in the same database.
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Table } from './database-shape.ts'
import type { Manifest, Migration } from './manifest.ts'

type Named = Pick<Table, 'schema' | 'name'>

export const migrationsFolder = 'migrations'

/** Schemas that no migration makes: of the queue and of the sandboxes. */
const wholeSchemas = ['graphile_worker', 'stripe_sandbox', 'paypal_sandbox']
const createTable = /\bcreate (?:unlogged )?table (?:if not exists )?(?:"?public"?\.)?"?(\w+)"?/gi

export const isOwnSchema = (schema: string) => schema === 'public' || wholeSchemas.includes(schema)

export const inWords = (tables: Named[]) =>
  tables.map(({ schema, name }) => `${schema}.${name}`).join(', ')

/** Says of a table whether Thunder makes it, in a database that has these migrations. */
export function ownTables(applied: Migration[]): (table: Named) => boolean {
  const migrations = readMigrationFiles({ migrationsFolder })
  const known = new Set(migrations.map(({ hash }) => hash))
  // A later version has made tables of which nothing is known here: better too much than one too few.
  if (applied.some(({ hash }) => !known.has(hash))) return () => true
  const texts = migrations.flatMap(({ sql }) => sql)
  const made = new Set(
    texts.flatMap((text) => [...text.matchAll(createTable)].map(([, name]) => name)),
  )
  return ({ schema, name }) =>
    wholeSchemas.includes(schema) || (schema === 'public' && made.has(name))
}

/** Former versions copied whatever was in the database. */
export function withoutOthers(manifest: Manifest, say: (line: string) => void): Manifest {
  const isOwn = ownTables(manifest.migrations)
  const others = manifest.tables.filter((table) => !isOwn(table))
  if (others.length === 0) return manifest
  say(`Not Thunder's, so not restored: ${inWords(others)}.`)
  return { ...manifest, tables: manifest.tables.filter(isOwn) }
}
