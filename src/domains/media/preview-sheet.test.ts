// The small pictures of the seek bar, where the track says that they are.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { previewSheet } from './preview-sheet.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preview-'))
})
afterEach(() => rm(folder, { recursive: true }))

const frame = { width: 16, height: 8 }
const preview = { count: 5, step: 1, columns: 3, rows: 2, frame }

async function picture(name: string, background: string) {
  const create = { ...frame, channels: 3, background } as const
  await sharp({ create }).jpeg({ quality: 100 }).toFile(join(folder, name))
}

/** The colour in the middle of each place, from the first row on: r, g, b or none. */
async function placesOf(sheet: Buffer) {
  const { data, info } = await sharp(sheet).raw().toBuffer({ resolveWithObject: true })
  const found: string[] = []
  for (let y = frame.height / 2; y < info.height; y += frame.height) {
    for (let x = frame.width / 2; x < info.width; x += frame.width) {
      const at = (y * info.width + x) * info.channels
      const parts = [...data.subarray(at, at + 3)]
      found.push(['r', 'g', 'b'].filter((_, part) => parts[part]! > 150).join('') || 'none')
    }
  }
  return { found, size: [info.width, info.height] }
}

test('stand in the order of their names, row by row; the last one fills what is left', async () => {
  await picture('002.jpg', '#00ff00')
  await picture('001.jpg', '#ff0000')
  await picture('003.jpg', '#0000ff')
  const { found, size } = await placesOf((await previewSheet(folder, preview))!)
  expect(found).toEqual(['r', 'g', 'b', 'b', 'b', 'none'])
  expect(size).toEqual([48, 16])
})

test('are as many as there are places', async () => {
  for (const [index, colour] of ['#ff0000', '#00ff00', '#0000ff', '#ffff00'].entries()) {
    await picture(`${index}.jpg`, colour)
  }
  const two = { ...preview, count: 2, columns: 2, rows: 1 }
  const { found } = await placesOf((await previewSheet(folder, two))!)
  expect(found).toEqual(['r', 'g'])
})

test('of no pictures there is no sheet', async () => {
  expect(await previewSheet(folder, preview)).toBeNull()
})
