// A database of its own for one test file, without the app.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'
import { afterFile } from './after-file.ts'

const templateServer = () => new URL('/postgres', inject('templateUrl')).href

async function administer(...statements: string[]) {
  const client = new Client({ connectionString: templateServer() })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** It is there until the tests of the file are over: each database costs the server work for as long as it exists. */
export async function copyOfTemplate() {
  const run = process.env.TEST_DATABASES ?? 'test'
  const name = `${run}_${randomUUID().replaceAll('-', '')}`
  await administer(
    // Two copies at once are refused; this lock puts the test files in line.
    'select pg_advisory_lock(4242)',
    `create database ${name} template template`,
  )
  afterFile(() => administer(`drop database if exists ${name} with (force)`))
  return new URL(`/${name}`, templateServer()).href
}

export const openCopy = async () => openDatabase(await copyOfTemplate(), createLog('silent'))
