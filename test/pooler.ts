// npm run prove:pools: PgBouncer in transaction mode, before the PostgreSQL of the tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../src/server/postgres/free-port.ts'

/**
 * Few connections for many clients, so that whoever keeps something in a session loses it. Each database has
 * its own, which must not stay when its test file is done.
 */
const settings = {
  pool_mode: 'transaction',
  default_pool_size: 8,
  max_client_conn: 1000,
  server_idle_timeout: 5,
  listen_addr: '127.0.0.1',
  unix_socket_dir: '',
  // Who comes is whoever the database's line says.
  auth_type: 'any',
  log_connections: 0,
  log_disconnections: 0,
  log_stats: 0,
}

const lines = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('')

/** `program` is PgBouncer; it leads to all databases of the server at `url`. */
export async function startPooler(program: string, url: string) {
  const { hostname, port, username, password } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'thunder-pooler-'))
  const listenPort = await freePort()
  // PgBouncer refuses to be root.
  const user: Record<string, string> = process.getuid?.() === 0 ? { user: 'nobody' } : {}
  const target = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]\n* = ${target}\n[pgbouncer]\n${lines({ ...settings, ...user, listen_port: listenPort })}`,
  )
  await chmod(folder, 0o755)
  const server = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'exit')
  process.once('exit', () => server.kill())
  const said: string[] = []
  const ready = Promise.withResolvers<void>()
  createInterface(server.stderr).on('line', (line) => {
    said.push(line)
    if (line.includes('process up')) ready.resolve()
  })
  const failed = ended.then(() => Promise.reject(new Error(`no pooler: ${said.join('\n')}`)))
  await Promise.race([ready.promise, failed])
  failed.catch(() => {})
  return {
    port: listenPort,
    async stop() {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
