// What messengers show of an address: where its parts stand, looked up in the pixels.
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { type BrandPictures, openBrand } from './brand-pictures.ts'
import { drawSharingPicture, type SharingPicture } from './draw-sharing-picture.ts'

let pictures: BrandPictures
let red: Uint8Array
beforeAll(async () => {
  pictures = await openBrand(readConfig({}))
  const create = { width: 500, height: 500, channels: 3, background: '#ff0000' } as const
  red = await sharp({ create }).png().toBuffer()
})

const course: SharingPicture = {
  title: 'Bread',
  instead: 'A course in Cooking',
  over: 'Cooking',
  under: 'by Ann',
  tag: '$29',
  picture: null,
}

type Colour = (red: number, green: number, blue: number) => boolean
/** The title, in nearly white. */
const isInk: Colour = (...parts) => parts.every((part) => part > 225)
/** Ink, and what is quieter. */
const isText: Colour = (...parts) => parts.every((part) => part > 130)
const isRed: Colour = (r, g, b) => r > 200 && g < 60 && b < 60
const isTag: Colour = (r, g, b) => r > 220 && g > 190 && b < 90

async function drawn(change: Partial<SharingPicture> = {}) {
  const png = await drawSharingPicture(pictures, { ...course, ...change })
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const isAt = (colour: Colour, x: number, y: number) => {
    const at = (y * info.width + x) * info.channels
    return colour(data[at]!, data[at + 1]!, data[at + 2]!)
  }
  /** The smallest box around all of a colour between two rows; null when there is none. */
  function boxOf(colour: Colour, [top, bottom]: [number, number] = [0, info.height]) {
    let box: { left: number; top: number; right: number; bottom: number } | null = null
    for (let y = top; y < bottom; y++) {
      for (let x = 0; x < info.width; x++) {
        if (!isAt(colour, x, y)) continue
        box ??= { left: x, top: y, right: x, bottom: y }
        box.left = Math.min(box.left, x)
        box.right = Math.max(box.right, x)
        box.bottom = y
      }
    }
    return box
  }
  return { png, info, boxOf, isAt }
}

const titleRows: [number, number] = [130, 500]

describe('a picture for messengers', () => {
  test('has our mark before the name, or the logo of whoever runs this', async () => {
    const { boxOf } = await drawn({ tag: null })
    const top: [number, number] = [20, 130]
    const bolt = boxOf(isTag, top)!
    expect(bolt.left).toBeGreaterThanOrEqual(72)
    expect(bolt.right).toBeLessThan(72 + 48)
    expect(boxOf(isInk, top)!.left).toBeGreaterThanOrEqual(72 + 64)
  })

  test('is 1200 x 630, with the brand on top', async () => {
    const { info, boxOf } = await drawn()
    expect([info.width, info.height]).toEqual([1200, 630])
    const name = boxOf(isInk, [40, 130])!
    expect(name.left).toBeGreaterThanOrEqual(136)
    expect(name.left).toBeLessThan(145)
    expect(name.bottom).toBeGreaterThan(94)
    expect(name.bottom).toBeLessThan(110)
  })

  test('has a short title in the middle, its category above it and its creator below', async () => {
    const { boxOf } = await drawn()
    const title = boxOf(isInk, titleRows)!
    expect(title.left).toBeGreaterThan(70)
    expect(title.left).toBeLessThan(85)
    // Capitals stand on the line at 330.
    expect(Math.abs(title.bottom - 330)).toBeLessThan(4)
    expect(title.top).toBeGreaterThan(265)
    const over = boxOf(isText, [130, title.top - 4])!
    expect(over.bottom).toBeGreaterThan(233)
    expect(over.bottom).toBeLessThan(248)
    const under = boxOf(isText, [title.bottom + 4, 500])!
    expect(under.top).toBeGreaterThan(370)
    expect(under.bottom).toBeLessThan(415)
  })

  test('keeps a title of several lines in the middle', async () => {
    const one = (await drawn()).boxOf(isInk, titleRows)!
    const title = 'Bread and butter for people who are busy all week'
    const three = (await drawn({ title })).boxOf(isInk, titleRows)!
    const middle = ({ top, bottom }: typeof one) => (top + bottom) / 2
    expect(three.bottom - three.top).toBeGreaterThan(2 * (one.bottom - one.top))
    expect(Math.abs(middle(three) - middle(one))).toBeLessThan(16)
    expect(three.right).toBeLessThanOrEqual(1200 - 72)
  })

  test('never has more than three lines, however long the title', async () => {
    const { boxOf } = await drawn({ title: 'Bread and butter '.repeat(30) })
    const title = boxOf(isInk, titleRows)!
    expect(title.bottom - title.top).toBeLessThan(54 * 1.12 * 3)
    expect(title.right).toBeLessThanOrEqual(1200 - 72)
  })

  test('leaves what lies beside the title to a picture', async () => {
    const title = 'Bread and butter for people who are busy all week'
    for (const round of [true, false]) {
      const { boxOf } = await drawn({ title, picture: { bytes: red, round } })
      const picture = boxOf(isRed)!
      expect(boxOf(isInk, titleRows)!.right).toBeLessThan(picture.left - 40)
    }
  })

  test('has a course’s picture in a frame with round corners', async () => {
    const { boxOf, isAt } = await drawn({ picture: { bytes: red, round: false } })
    expect(boxOf(isRed)).toEqual({ left: 700, top: 160, right: 1139, bottom: 407 })
    expect(isAt(isRed, 702, 162)).toBe(false)
    expect(isAt(isRed, 725, 185)).toBe(true)
  })

  test('has a person’s picture in a circle', async () => {
    const { boxOf, isAt } = await drawn({ picture: { bytes: red, round: true } })
    expect(boxOf(isRed)).toEqual({ left: 820, top: 155, right: 1139, bottom: 474 })
    expect(isAt(isRed, 840, 175)).toBe(false)
    expect(isAt(isRed, 980, 315)).toBe(true)
  })

  test('has a price in a field of its own, or none', async () => {
    const { boxOf } = await drawn()
    const tag = boxOf(isTag, [500, 630])!
    expect([tag.left, tag.top, tag.bottom]).toEqual([72, 512, 573])
    const wider = (await drawn({ tag: '$129/month' })).boxOf(isTag, [500, 630])!
    expect(wider.right).toBeGreaterThan(tag.right + 50)
    expect((await drawn({ tag: null })).boxOf(isTag, [500, 630])).toBeNull()
  })

  test('says something else where the title cannot be drawn, and leaves out who cannot', async () => {
    // What is no letter does not count.
    const emoji = await drawn({ title: '🍞🥐 A' })
    expect(emoji.png).toEqual((await drawn({ title: 'A' })).png)
    const chinese = await drawn({ title: '面包', under: '王小明' })
    expect(chinese.png).toEqual((await drawn({ title: course.instead, under: '' })).png)
    // Most of it is enough: four of five.
    const most = await drawn({ title: 'Brea包' })
    expect(most.png).toEqual((await drawn({ title: 'Brea' })).png)
    const half = await drawn({ title: 'Bre包' })
    expect(half.png).toEqual((await drawn({ title: course.instead })).png)
  })

  test('without a title says nothing above it', async () => {
    const { boxOf } = await drawn({ title: '', instead: '', over: 'Cooking', under: '' })
    expect(boxOf(isText, titleRows)).toBeNull()
  })
})
