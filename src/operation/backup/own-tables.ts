// Which tables are Thunder's, where an operator or another program keeps some in the same database.
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Migration } from './manifest.ts'

interface Named {
  schema: string
  name: string
}

export const migrationsFolder = 'migrations'

/** Schemas that no migration makes: of the queue and of the sandboxes. */
const wholeSchemas = ['graphile_worker', 'stripe_sandbox', 'paypal_sandbox']
const createTable = /\bcreate (?:unlogged )?table (?:if not exists )?(?:"?public"?\.)?"?(\w+)"?/gi

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
