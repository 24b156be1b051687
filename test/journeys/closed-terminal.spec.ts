// The terminal in which Thunder was started is closed: nothing of it stays behind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'

const terminal = '/usr/bin/script'
const command = `exec ${process.execPath} build/server/index.js`

test('Thunder ends in order with its terminal, and PostgreSQL with it', async () => {
  test.skip(!existsSync(terminal) || process.platform !== 'linux', 'no terminal to be had')
  const dataDir = await mkdtemp(join(tmpdir(), 'thunder-closed-'))
  const variables = { NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0', FFMPEG_PATH: 'off' }
  const window = spawn(terminal, ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, ...variables },
  })
  try {
    let said = ''
    window.stdout.on('data', (chunk) => (said += chunk))
    await expect.poll(() => said).toContain('is ready at')
    expect(await runningPostgresUrl({ dataDir })).toBeDefined()
    window.kill('SIGKILL')
    await once(window, 'exit')
    // The last that goes is the number of its process.
    await expect.poll(() => existsSync(join(dataDir, 'thunder.pid'))).toBe(false)
    expect(await runningPostgresUrl({ dataDir })).toBeUndefined()
  } finally {
    window.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
})
