// Starts the servers that are measured, each in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Server {
  origin: string
  pid: number
  /** Milliseconds from the start of the process to the first 200 of /healthz. */
  readyAfter: number
  /** Asks it to end, and waits. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const root = fileURLToPath(new URL('..', import.meta.url))

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { redirect: 'manual' }).catch(() => null)
  await response?.arrayBuffer().catch(() => null)
  return response?.status === 200
}

async function start(args: string[], env: Record<string, string>): Promise<Server> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const started = performance.now()
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), HOST: '127.0.0.1', ...env },
  })
  const ended = once(child, 'exit')
  // Whatever ends us, nothing we started stays behind.
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  const pid = child.pid
  if (pid === undefined) throw new Error(`${args[0]} could not be started`)
  while (!(await answers(`${origin}/healthz`))) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}`)
    if (performance.now() - started > 120_000) throw new Error(`${args[0]} did not get ready`)
    await delay(5)
  }
  return {
    origin,
    pid,
    readyAfter: performance.now() - started,
    async stop(signal = 'SIGTERM') {
      process.off('exit', end)
      child.kill(signal)
      await ended
    },
  }
}

export const startThunder = (
  env: { DATA_DIR: string; AUTH_SECRET: string; DATABASE_URL?: string },
  flags: string[] = [],
) =>
  start([...flags, 'build/server/index.js'], {
    LOG_LEVEL: 'error',
    DATABASE_URL: '',
    APP_URL: '',
    ...env,
  })

export const startBare = (databaseUrl: string, flags: string[] = []) =>
  start([...flags, 'bench/bare-server.ts'], { DATABASE_URL: databaseUrl })
