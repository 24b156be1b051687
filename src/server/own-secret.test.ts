import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ownSecret } from './own-secret.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-secret-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})

test('a secret is made once, for nobody else to read, and kept', async () => {
  const secret = await ownSecret(folder)
  expect(secret).toMatch(/^[\w-]{64}$/)
  expect(await ownSecret(folder)).toBe(secret)
  const file = join(folder, 'auth-secret')
  expect(await readFile(file, 'utf8')).toBe(secret)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('all who start at once have the same one, and leave nothing else behind', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => ownSecret(folder)))
  expect(new Set(secrets).size).toBe(1)
  expect(await readdir(folder)).toEqual(['auth-secret'])
})

test('an empty file, of a start that was cut short, is no secret', async () => {
  await writeFile(join(folder, 'auth-secret'), '')
  const secret = await ownSecret(folder)
  expect(secret).toMatch(/^[\w-]{64}$/)
  expect(await ownSecret(folder)).toBe(secret)
})

test('one that is there and cannot be read is never replaced', async () => {
  await mkdir(join(folder, 'auth-secret'))
  await expect(ownSecret(folder)).rejects.toThrow('EISDIR')
})
