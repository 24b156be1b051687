// A PostgreSQL whose clock is set. Needs Debian's libfaketime, which `npm run prove:faults` installs.
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { locateBinaries } from '../../src/server/postgres/binaries.ts'
import { openCluster } from '../../src/server/postgres/cluster.ts'
import { connectionString, waitUntilReady } from '../../src/server/postgres/connection.ts'
import { spawnAs } from '../../src/server/postgres/runner.ts'
import { freePort } from '../journeys/free-port.ts'

const library = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]

/** Why there can be none here; null when there can. */
export const whyNoDatabaseClock = () =>
  library ? null : 'the clock of a program is set with libfaketime, which is not here'

/** Serves the database in this data folder, on which no other server is; gone after the test. */
export async function startWithClock(dataDir: string) {
  const binaries = await locateBinaries()
  const { folder, runner, password } = await openCluster(dataDir, binaries, () => {})
  const clock = join(folder, 'clock')
  /** By so many milliseconds. */
  const setClock = (ahead: number) =>
    writeFile(clock, `${ahead < 0 ? '' : '+'}${Math.round(ahead / 1000)}s\n`)
  await setClock(0)
  const door = { port: await freePort(), password }
  const settings = [`port=${door.port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const server = spawnAs(
    runner,
    binaries.postgres,
    ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])],
    {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        LC_ALL: 'C',
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        // How long something takes is not told by the time of day.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    },
  )
  const gone = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGINT')
    await gone
  })
  const isRunning = async () => server.exitCode === null
  const outcome = await waitUntilReady(door, 60_000, isRunning, () => {})
  if (outcome !== 'ready') throw new Error(`PostgreSQL with a clock of its own: ${outcome}`)
  return { url: connectionString(door, 'thunder'), setClock }
}
