import { escapeIdentifier, escapeLiteral } from 'pg'
import { adminClient, APPLICATION_ROLE, type Door } from './connection.ts'

/** Makes the application's role and database where they are missing. */
export async function ensureDatabase(door: Door, database: string): Promise<void> {
  const client = adminClient(door)
  await client.connect()
  try {
    const role = await client.query('select from pg_roles where rolname = $1', [APPLICATION_ROLE])
    if (role.rowCount === 0) {
      const password = escapeLiteral(door.password)
      await client.query(`create role ${APPLICATION_ROLE} login createdb password ${password}`)
    }
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) {
      const name = escapeIdentifier(database)
      await client.query(`create database ${name} owner ${APPLICATION_ROLE}`)
    }
  } finally {
    await client.end()
  }
}
