// The built Thunder as a process of its own, on data of its own: what `npm start` runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface BuiltServer {
  url: string
  dataDir: string
  /** The end of what it logged. */
  said(): string
  /** Ends the process with SIGKILL, which leaves its PostgreSQL behind. */
  kill9(): Promise<void>
  /** Starts it again, on the same data and port. */
  restart(): Promise<void>
  /** Ends it as Ctrl-C does, and removes the data. */
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Milliseconds for everything that a first start does. */
const startTimeout = 180_000

/**
 * Below the ports that a system gives to whoever asks for any, and those of PostgreSQL: one of these could be
 * given away again before the server listens, which takes seconds; then another program answers in its place.
 */
const ports = { from: 12_000, to: 20_000 }

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

const exitOf = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

/** @throws when the server ends instead of getting ready, with what it said. */
async function becomeReady(child: ChildProcess, url: string, said: () => string) {
  const end = Date.now() + startTimeout
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`The server ended at its start:\n${said()}`)
    const answer = await fetch(`${url}/healthz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The server was not ready in time:\n${said()}`)
}

export async function startBuiltServer(
  environment: Record<string, string> = {},
): Promise<BuiltServer> {
  if (!existsSync(join(root, 'build/server/index.js'))) {
    throw new Error('There is no build. Run `npm run build` first; `npm test` does.')
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'thunder-journey-'))
  const port = Number(environment.PORT ?? (await freePort()))
  const url = `http://localhost:${port}`
  let child: ChildProcess
  let output = ''

  async function start() {
    output = ''
    child = spawn(process.execPath, ['build/server/index.js'], {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATA_DIR: dataDir,
        PORT: String(port),
        // With every job that was done; all of it is printed only when a journey fails.
        LOG_LEVEL: 'debug',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const keep = (chunk: Buffer) => (output = (output + String(chunk)).slice(-12_000))
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    try {
      await becomeReady(child, url, () => output)
    } catch (error) {
      // In order, so that its PostgreSQL does not stay behind.
      child.kill('SIGTERM')
      throw error
    }
  }

  await start()
  return {
    url,
    dataDir,
    said: () => output,
    async kill9() {
      child.kill('SIGKILL')
      await exitOf(child)
    },
    restart: start,
    async stop() {
      // Its PostgreSQL ends with a process that ends in order, so a killed one comes back for that.
      if (child.signalCode === 'SIGKILL') await start()
      child.kill('SIGTERM')
      await exitOf(child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
