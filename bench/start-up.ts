// How long a start takes, from the start of the process to the first 200 of /healthz.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isServerOf, readPostmasterFile } from '../src/server/postgres/processes.ts'
import { median, waitForQuiet } from './load.ts'
import { startThunder } from './processes.ts'
import type { Row } from './row.ts'

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`

const said = (times: number[]) =>
  `${seconds(median(times))} (${seconds(Math.min(...times))} to ${seconds(Math.max(...times))})`

/** First start on an empty folder, then restarts after a clean stop and after kill -9. */
export async function measureStarts(repeats: number, patience: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-start-'))
  const env = { DATA_DIR: folder, AUTH_SECRET: 'x'.repeat(32) }
  try {
    let server = await startThunder(env)
    const first = server.readyAfter
    const clean: number[] = []
    const killed: number[] = []
    for (let repeat = 0; repeat < repeats; repeat++) {
      await server.stop()
      await waitForQuiet(patience)
      server = await startThunder(env)
      clean.push(server.readyAfter)
      await server.stop('SIGKILL')
      server = await startThunder(env)
      killed.push(server.readyAfter)
    }
    await server.stop()
    return [
      {
        what: 'first start of a built Thunder, empty data folder',
        measured: seconds(first),
        goal: '',
        met: null,
      },
      { what: 'restart', measured: said(clean), goal: '<= 2 s', met: median(clean) <= 2000 },
      {
        what: 'restart after kill -9',
        measured: said(killed),
        goal: '<= 3 s',
        met: median(killed) <= 3000,
      },
    ]
  } finally {
    await endDatabaseOf(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

/** A database that a failure left behind. */
async function endDatabaseOf(folder: string) {
  const data = join(folder, 'postgres')
  const left = await readPostmasterFile(data)
  if (left && (await isServerOf(data, left.pid))) process.kill(left.pid, 'SIGQUIT')
}
