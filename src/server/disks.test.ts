import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mountSmallDisk, whyNoSmallDisk } from '../../test/faults/small-disk.ts'
import { disksOf } from './disks.ts'

async function emptyFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-disks-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('folders of one disk are told of once', async () => {
  const folder = await emptyFolder()
  await mkdir(join(folder, 'storage'))
  const disks = await disksOf(folder)
  expect(disks).toMatchObject([{ name: 'data', folder }])
  expect(disks[0]!.free).toBeGreaterThan(0)
  expect(disks[0]!.size).toBeGreaterThanOrEqual(disks[0]!.free)
})

const whyNot = whyNoSmallDisk()
test.skipIf(whyNot !== null)('a folder that lies elsewhere is a disk of its own', async () => {
  const folder = await emptyFolder()
  const small = await mountSmallDisk(8)
  await symlink(small.folder, join(folder, 'storage'))
  await small.fill()
  const disks = await disksOf(folder)
  expect(disks.map(({ name }) => name)).toEqual(['data', 'storage'])
  expect(disks[1]).toMatchObject({ free: 0, size: 8 * 1024 * 1024 })
})
