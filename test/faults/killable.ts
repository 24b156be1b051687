// A server that can be killed in the middle of whatever it does, and started again where it was.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import type { TestApp } from '../app.ts'
import { freePort } from '../journeys/free-port.ts'

/** One more node of an app, on the database and with the files of it; gone after the test. */
export async function startKillable(app: TestApp) {
  const port = String(await freePort())
  let child: ChildProcess
  async function start() {
    child = spawn(process.execPath, ['test/faults/serve.ts'], {
      env: {
        ...process.env,
        DATABASE_URL: app.databaseUrl,
        AUTH_SECRET: app.services.secret,
        DATA_DIR: app.services.config.dataDir,
        APP_URL: app.services.config.appUrl,
        LOG_LEVEL: 'error',
        FFMPEG_PATH: 'off',
        // The app beside it does them.
        JOBS: 'off',
        PORT: port,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout!, 'data')
  }
  async function kill9() {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  await start()
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill9()
  })
  return { url: `http://127.0.0.1:${port}`, start, kill9 }
}
