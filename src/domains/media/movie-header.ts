import type { ReadAt } from './stored-bytes.ts'

type Box = { type: string; start: number; bodyStart: number; end: number }

/** Real files have a handful of boxes on each level; a hostile one may have millions. */
const maxBoxes = 2000

/** The boxes between two offsets, by reading their headers only. Stops at the first that makes no sense. */
async function* boxes(readAt: ReadAt, from: number, to: number): AsyncGenerator<Box> {
  let start = from
  for (let count = 0; count < maxBoxes && start + 8 <= to; count += 1) {
    const header = await readAt(start, 16)
    if (header.length < 8) return
    const size32 = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    const isLarge = size32 === 1
    if (isLarge && header.length < 16) return
    const size = isLarge ? Number(header.readBigUInt64BE(8)) : size32 === 0 ? to - start : size32
    const bodyStart = start + (isLarge ? 16 : 8)
    const end = start + size
    if (end < bodyStart || end > to) return
    yield { type, start, bodyStart, end }
    start = end
  }
}

async function find(readAt: ReadAt, type: string, from: number, to: number): Promise<Box | null> {
  for await (const box of boxes(readAt, from, to)) if (box.type === type) return box
  return null
}

/**
 * Seconds that an MP4 or QuickTime file lasts, from its `moov/mvhd` box. `null` when it has no movie
 * header at all, so that nothing can play it; 0 when the header does not say (as in live recordings).
 */
export async function movieSeconds(readAt: ReadAt, size: number): Promise<number | null> {
  const moov = await find(readAt, 'moov', 0, size)
  if (!moov) return null
  const mvhd = await find(readAt, 'mvhd', moov.bodyStart, moov.end)
  if (!mvhd) return 0
  const body = await readAt(mvhd.bodyStart, 32)
  if (body.length < 32) return 0
  const isLong = body.readUInt8(0) === 1
  const timescale = isLong ? body.readUInt32BE(20) : body.readUInt32BE(12)
  const duration = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16)
  const seconds = duration / timescale
  // All bits set stands for an unknown duration, and so does a timescale of nothing; no video here lasts a day.
  return seconds < 86_400 ? seconds : 0
}
