import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Preview } from './video-ladder.ts'

/**
 * The pictures in a folder, by their names, beside and below each other as one JPEG; where there are fewer
 * than the preview has places, the last one stands for the rest. Null when there is none.
 */
export async function previewSheet(folder: string, preview: Preview): Promise<Buffer | null> {
  const names = (await readdir(folder)).toSorted()
  if (names.length === 0) return null
  const { count, columns, rows, frame } = preview
  const pieces = Array.from({ length: count }, (_, at) => ({
    input: join(folder, names[Math.min(at, names.length - 1)]!),
    left: (at % columns) * frame.width,
    top: Math.floor(at / columns) * frame.height,
  }))
  const sheet = { width: columns * frame.width, height: rows * frame.height }
  return sharp({ create: { ...sheet, channels: 3, background: 'black' } })
    .composite(pieces)
    .jpeg({ quality: 70 })
    .toBuffer()
}
