// From a clone to a working page, and `npm start` again: what a person waits for, npm and scripts included.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median, waitForQuiet } from './load.ts'
import { freePort } from './processes.ts'
import type { Row } from './row.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`

/** As in a shell of its own: nothing of the npm that runs this, nor its Node. */
function shellEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(lifecycle|package|command|execpath|node|config_local_prefix)|INIT_CWD|NODE_ENV)/.test(
        name,
      ),
  )
  const path = (process.env.PATH ?? '').split(delimiter)
  const own = path.filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: own.join(delimiter) }
}

/** Milliseconds from `npm start` to the first page. */
async function startByNpm(clone: string, data: string) {
  const port = await freePort()
  const started = performance.now()
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: clone,
    stdio: ['ignore', 'ignore', 'inherit'],
    // A group of its own, which ends as with Ctrl-C in a terminal.
    detached: true,
    env: {
      ...shellEnvironment(),
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: data,
      DATABASE_URL: '',
      LOG_LEVEL: 'error',
    },
  })
  const { pid } = child
  if (pid === undefined) throw new Error('npm could not be started')
  const end = () => process.kill(-pid, 'SIGINT')
  process.once('exit', end)
  const page = () => fetch(`http://127.0.0.1:${port}/`).catch(() => null)
  for (let answer = await page(); answer?.status !== 200; answer = await page()) {
    await answer?.body?.cancel()
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    await delay(5)
  }
  const took = performance.now() - started
  return {
    took,
    async stop() {
      process.off('exit', end)
      const ended = once(child, 'exit')
      end()
      await ended
      // npm does not wait for whom it started.
      while (existsSync(join(data, 'postgres', 'postmaster.pid'))) await delay(50)
    },
  }
}

/** Needs git, and npm's cache warm. */
export async function measureFirstRun(repeats: number, patience: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-first-'))
  const [clone, data] = [join(folder, 'clone'), join(folder, 'data')]
  try {
    await waitForQuiet(patience)
    const begin = performance.now()
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
    const cloned = performance.now() - begin
    let running = await startByNpm(clone, data)
    const first = cloned + running.took
    const again: number[] = []
    for (let repeat = 0; repeat < repeats; repeat++) {
      await running.stop()
      await waitForQuiet(patience)
      running = await startByNpm(clone, data)
      again.push(running.took)
    }
    await running.stop()
    const range = `${seconds(Math.min(...again))} to ${seconds(Math.max(...again))}`
    return [
      {
        what: 'first run: from the clone to the first page, npm’s cache warm',
        measured: `**${seconds(first)}**`,
        goal: '<= 90 s',
        met: first <= 90_000,
      },
      {
        what: '`npm start` again, to the first page',
        measured: `**${seconds(median(again))}** (${range})`,
        goal: '<= 2 s',
        met: median(again) <= 2000,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
