// A Thunder with a database of its own, which is filled with courses and people.
import { join } from 'node:path'
import { Client } from 'pg'
import { runningPostgresUrl } from '../src/server/postgres/embedded.ts'
import { readPostmasterFile } from '../src/server/postgres/processes.ts'
import { type Server, startThunder } from './processes.ts'
import { seedMany, type Size } from './seed-many.ts'

export interface Filled {
  thunder: Server
  database: Client
  databaseUrl: string
  /** The process whose children are the connections of the database. */
  databasePid: number
  stop(): Promise<void>
}

export async function startFilled(options: {
  folder: string
  secret: string
  size: Size
  flags?: string[]
  /** Between the start and the filling. */
  whileEmpty?: (started: Pick<Filled, 'thunder' | 'databasePid'>) => Promise<unknown>
}): Promise<Filled> {
  const { folder, secret, size, flags } = options
  const thunder = await startThunder({ DATA_DIR: folder, AUTH_SECRET: secret }, flags)
  try {
    const databaseUrl = await runningPostgresUrl({ dataDir: folder })
    const postmaster = await readPostmasterFile(join(folder, 'postgres'))
    if (!databaseUrl || !postmaster)
      throw new Error('the database of the measured Thunder was not found')
    await options.whileEmpty?.({ thunder, databasePid: postmaster.pid })
    const database = new Client({ connectionString: databaseUrl })
    await database.connect()
    const stop = () => database.end().then(() => thunder.stop())
    console.log(`Filling a database with ${size.courses} courses and ${size.people} people...`)
    await seedMany(database, size)
    return { thunder, database, databaseUrl, databasePid: postmaster.pid, stop }
  } catch (error) {
    await thunder.stop()
    throw error
  }
}
