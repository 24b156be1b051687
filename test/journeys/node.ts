// One built Thunder as a process: it can be killed, and started again at the same port.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Node {
  url: string
  /** The end of what it logged. */
  said(): string
  start(): Promise<void>
  /** Ends it with SIGKILL, in the middle of whatever it does. */
  kill9(): Promise<void>
  isKilled(): boolean
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Milliseconds for everything that a first start does. */
const startTimeout = 180_000

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

/** `folder` is where its build is: of this version, unless told otherwise. */
export async function startNode(
  port: number,
  environment: Record<string, string>,
  folder = root,
): Promise<Node> {
  const url = `http://localhost:${port}`
  let child: ChildProcess
  let output = ''

  async function start() {
    output = ''
    child = spawn(process.execPath, ['build/server/index.js'], {
      cwd: folder,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        // With every job that was done; all of it is printed only when a journey fails.
        LOG_LEVEL: 'debug',
        ...environment,
        PORT: String(port),
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
    said: () => output,
    start,
    async kill9() {
      child.kill('SIGKILL')
      await exitOf(child)
    },
    isKilled: () => child.signalCode === 'SIGKILL',
    async stop() {
      child.kill('SIGTERM')
      await exitOf(child)
    },
  }
}
