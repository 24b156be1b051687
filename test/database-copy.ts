// A database of its own for one test file, without the app.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'
import { afterFile } from './after-file.ts'
import { dropDatabase } from './drop-database.ts'

const templateServer = () => new URL('/postgres', inject('templateUrl')).href

async function administer(work: (client: Client) => Promise<void>) {
  const client = new Client({ connectionString: templateServer() })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** It is there until the tests of the file are over: each database costs the server work for as long as it exists. */
export async function copyOfTemplate() {
  const run = process.env.TEST_DATABASES ?? 'test'
  const name = `${run}_${randomUUID().replaceAll('-', '')}`
  await administer(async (client) => {
    // Two copies at once are refused; this lock puts the test files in line.
    await client.query('select pg_advisory_lock(4242)')
    await client.query(`create database ${name} template template`)
  })
  afterFile(() => administer((client) => dropDatabase(client, name)))
  return new URL(`/${name}`, templateServer()).href
}

export const openCopy = async () => openDatabase(await copyOfTemplate(), createLog('silent'))
