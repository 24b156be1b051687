// The README's command, ended by whatever supervises it: nothing stays behind.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { freePort } from './server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('npm start ends with npm, its database as well', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'thunder-npm-'))
  const port = await freePort()
  const isReady = async () =>
    (await fetch(`http://localhost:${port}/healthz`).catch(() => null))?.ok ?? false
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
    stdio: 'ignore',
  })
  try {
    await expect.poll(isReady, { timeout: 180_000 }).toBe(true)
    npm.kill('SIGTERM')
    await expect.poll(isReady).toBe(false)
    await expect.poll(() => existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  } finally {
    npm.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
})
