// A PostgreSQL with a streaming replica, both embedded.
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { adminClient } from '../src/server/postgres/connection.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'

export interface ReplicatedDatabase {
  url: string
  replicaUrl: string
  /** As superuser, on the replica; it breaks with it. */
  replicaAdmin(): Promise<Client>
  stop(): Promise<void>
}

async function asSuperuser(url: string): Promise<Client> {
  const { port, password } = new URL(url)
  const client = adminClient({ port: Number(port), password: decodeURIComponent(password) })
  await client.connect()
  return client
}

/** What is written once and never again in a backup: it belongs to the server that it was taken from. */
const notCopied = /[/\\](?:postmaster\.(?:pid|opts)|pg_wal[/\\].+|pg_replslot[/\\].+)$/

/** Copies the files of a server while it runs, as pg_basebackup does, which is not part of the embedded one. */
async function copyOf(primary: EmbeddedPostgres, from: string, to: string): Promise<void> {
  const admin = await asSuperuser(primary.url)
  try {
    await admin.query(`select pg_backup_start('replica', fast => true)`)
    await cp(from, to, { recursive: true, filter: (path) => !notCopied.test(path) })
    const { rows } = await admin.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    await writeFile(join(to, 'backup_label'), rows[0]!.labelfile)
  } finally {
    await admin.end()
  }
  await writeFile(join(to, 'standby.signal'), '')
  const { port, password } = new URL(primary.url)
  const connection = `host=127.0.0.1 port=${port} user=postgres password=${decodeURIComponent(password)}`
  await appendFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`)
}

export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-replicated-'))
  const [first, second] = [join(folder, 'primary'), join(folder, 'replica')]
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const part of stops.splice(0).toReversed()) await part()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const primary = await startEmbeddedPostgres({ dataDir: first })
    stops.push(primary.stop)
    await copyOf(primary, join(first, 'postgres'), join(second, 'postgres'))
    const replica = await startEmbeddedPostgres({ dataDir: second })
    stops.push(replica.stop)
    const replicaAdmin = () => asSuperuser(replica.url)
    return { url: primary.url, replicaUrl: replica.url, replicaAdmin, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
