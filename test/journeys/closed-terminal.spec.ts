// The terminal in which Thunder was started is closed, whoever reads its log ends, or somebody stops it while it still
// starts: nothing of it stays behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, test } from '@playwright/test'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'

const terminal = '/usr/bin/script'
const server = 'build/server/index.js'
const command = `exec ${process.execPath} ${server}`

let dataDir: string
let program: ChildProcess | undefined
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'thunder-closed-'))
})
test.afterEach(async () => {
  program?.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

const environment = () => {
  const variables = { NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0', FFMPEG_PATH: 'off' }
  return { ...process.env, ...variables }
}

async function isReady(output: Readable) {
  let said = ''
  output.on('data', (chunk) => (said += chunk))
  // All that a first start does, as in `node.ts`.
  await expect.poll(() => said, { timeout: 180_000 }).toContain('is ready at')
  expect(await runningPostgresUrl({ dataDir })).toBeDefined()
}

test('Thunder ends in order with its terminal, and PostgreSQL with it', async () => {
  test.skip(!existsSync(terminal) || process.platform !== 'linux', 'no terminal to be had')
  const parameters = ['--quiet', '--return', '--command', command, '/dev/null']
  const window = spawn(terminal, parameters, { env: environment() })
  program = window
  await isReady(window.stdout)
  window.kill('SIGKILL')
  await once(window, 'exit')
  // The last that goes is the number of its process.
  await expect.poll(() => existsSync(join(dataDir, 'thunder.pid'))).toBe(false)
  expect(await runningPostgresUrl({ dataDir })).toBeUndefined()
})

test('Thunder ends in order after the reader of its log, and PostgreSQL with it', async () => {
  const thunder = spawn(process.execPath, [server], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  program = thunder
  await isReady(thunder.stdout)
  const ended = once(thunder, 'exit')
  thunder.stdout.destroy()
  thunder.stderr.destroy()
  thunder.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(await runningPostgresUrl({ dataDir })).toBeUndefined()
})

test('Thunder that is stopped in the last part of its start ends in order, and PostgreSQL with it', async () => {
  const store = createServer((request, answer) => {
    // The last thing that a start waits for: the files of its build, for which this store never answers.
    if (request.url?.includes('/builds/')) return thunder.kill('SIGTERM')
    return request.resume().once('end', () => answer.end())
  })
  await once(store.listen(0, '127.0.0.1'), 'listening')
  const { port } = store.address() as AddressInfo
  const storeVariables = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  const thunder = spawn(process.execPath, [server], {
    env: { ...environment(), ...storeVariables, JOBS: 'off' },
    stdio: 'ignore',
  })
  program = thunder
  expect(await once(thunder, 'exit')).toEqual([0, null])
  expect(await runningPostgresUrl({ dataDir })).toBeUndefined()
  store.closeAllConnections()
  store.close()
})
