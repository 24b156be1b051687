// A database of its own for one test file, without the app.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openDatabase } from '../src/server/db.ts'
import { createLog } from '../src/server/log.ts'

export async function copyOfTemplate() {
  const template = inject('templateUrl')
  const run = process.env.TEST_DATABASES ?? 'test'
  const name = `${run}_${randomUUID().replaceAll('-', '')}`
  const url = new URL(template)
  url.pathname = '/postgres'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  // Two copies at once are refused; this lock puts the test files in line.
  await client.query('select pg_advisory_lock(4242)')
  await client.query(`create database ${name} template template`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

export const openCopy = async () => openDatabase(await copyOfTemplate(), createLog('silent'))
