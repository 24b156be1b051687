// How long an MP4 lasts, read from its boxes; also of files that were made to mislead.
import { describe, expect, test } from 'vitest'
import { movieSeconds } from './movie-header.ts'

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + body.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}

/** With its size in 64 bits. */
const largeBox = (type: string, body: Buffer): Buffer => {
  const header = Buffer.alloc(16)
  header.writeUInt32BE(1)
  header.write(type, 4, 'latin1')
  header.writeBigUInt64BE(BigInt(16 + body.length), 8)
  return Buffer.concat([header, body])
}

function movieHeader({ timescale = 600, duration = 3000, isLong = false }): Buffer {
  const body = Buffer.alloc(isLong ? 112 : 100)
  body.writeUInt8(isLong ? 1 : 0, 0)
  body.writeUInt32BE(timescale, isLong ? 20 : 12)
  if (isLong) body.writeBigUInt64BE(BigInt(duration), 24)
  else body.writeUInt32BE(duration, 16)
  return box('mvhd', body)
}

const film = (...boxes: Buffer[]) => Buffer.concat([box('ftyp', Buffer.from('isom')), ...boxes])

/** How many times was read, and the answer. */
async function read(file: Buffer) {
  let reads = 0
  const seconds = await movieSeconds(async (start, length) => {
    reads += 1
    return file.subarray(start, start + length)
  }, file.length)
  return { seconds, reads }
}
const secondsOf = async (file: Buffer) => (await read(file)).seconds

describe('a film lasts', () => {
  test('as long as its header says, in either form', async () => {
    expect(await secondsOf(film(box('moov', movieHeader({}))))).toBe(5)
    expect(await secondsOf(film(box('moov', movieHeader({ isLong: true, duration: 1200 }))))).toBe(
      2,
    )
  })

  test('that long wherever the header stands', async () => {
    const movie = box('moov', box('udta', Buffer.alloc(40)), movieHeader({}), box('trak'))
    expect(await secondsOf(film(box('mdat', Buffer.alloc(5000)), movie))).toBe(5)
    expect(await secondsOf(film(largeBox('mdat', Buffer.alloc(5000)), movie))).toBe(5)
  })

  test('an unknown time where its header does not say', async () => {
    expect(await secondsOf(film(box('moov', movieHeader({ duration: 0 }))))).toBe(0)
    expect(await secondsOf(film(box('moov', movieHeader({ timescale: 0 }))))).toBe(0)
    expect(await secondsOf(film(box('moov', movieHeader({ duration: 0xffffffff }))))).toBe(0)
    expect(await secondsOf(film(box('moov', box('trak'))))).toBe(0)
    // One of an early form, which lacks its last byte.
    const cut = movieHeader({}).subarray(8, 8 + 31)
    expect(await secondsOf(film(box('moov', box('mvhd', cut))))).toBe(0)
    expect(await secondsOf(film(box('moov')))).toBe(0)
  })

  test('less than a day', async () => {
    const lasting = (duration: number) => film(box('moov', movieHeader({ timescale: 1, duration })))
    expect(await secondsOf(lasting(86_399))).toBe(86_399)
    expect(await secondsOf(lasting(86_400))).toBe(0)
  })
})

describe('no film', () => {
  test('is what has no header of one', async () => {
    expect(await secondsOf(film(box('mdat', Buffer.alloc(100))))).toBeNull()
    expect(await secondsOf(Buffer.alloc(0))).toBeNull()
    expect(await secondsOf(Buffer.from('moov'))).toBeNull()
  })

  test('is what was cut off before its header ends', async () => {
    const whole = film(box('moov', movieHeader({})))
    expect(await secondsOf(whole.subarray(0, whole.length - 1))).toBeNull()
    expect(await secondsOf(whole)).toBe(5)
  })

  test('is what begins with a box that makes no sense', async () => {
    const tooSmall = Buffer.alloc(8)
    tooSmall.writeUInt32BE(7)
    expect(await secondsOf(Buffer.concat([tooSmall, box('moov', movieHeader({}))]))).toBeNull()
    // What it says of its size leads into the middle of itself, where another one seems to begin.
    const within = Buffer.concat([Buffer.from([0, 0, 0, 4]), box('moov', movieHeader({}))])
    expect(await secondsOf(within)).toBeNull()
    const cutLarge = Buffer.from([0, 0, 0, 1, ...Buffer.from('mdat'), 0, 0])
    expect(await secondsOf(cutLarge)).toBeNull()
  })

  test('is looked for in a number of boxes that has an end', async () => {
    const few = Array.from({ length: 1990 }, () => box('free'))
    expect(await secondsOf(film(...few, box('moov', movieHeader({}))))).toBe(5)
    const many = Array.from({ length: 100_000 }, () => box('free'))
    const { seconds, reads } = await read(film(...many, box('moov', movieHeader({}))))
    expect(seconds).toBeNull()
    expect(reads).toBe(2000)
  })
})

test('of a file that is shorter than was said there is nothing to read', async () => {
  expect(await movieSeconds(() => Promise.resolve(Buffer.alloc(0)), 100)).toBeNull()
})

test('a box without a size goes on to the end', async () => {
  const last = box('moov', movieHeader({}))
  last.writeUInt32BE(0)
  expect(await secondsOf(film(last))).toBe(5)
})
