import { describe, expect, test } from 'vitest'
import { frameOf, moved, placedAt, placeOf, wholeCrop, zoomed } from './crop.ts'

describe('a square', () => {
  const wide = { width: 400, height: 200, ratio: 1 }

  test('at first the middle, as large as it goes', () => {
    expect(frameOf(wide, wholeCrop)).toEqual({ left: 100, top: 0, width: 200, height: 200 })
    expect(frameOf({ width: 200, height: 400, ratio: 1 }, wholeCrop)).toEqual({
      left: 0,
      top: 100,
      width: 200,
      height: 200,
    })
  })

  test('zoomed in, a smaller one around the same middle', () => {
    expect(frameOf(wide, zoomed(wide, wholeCrop, 2))).toEqual({
      left: 150,
      top: 50,
      width: 100,
      height: 100,
    })
    expect(frameOf(wide, zoomed(wide, wholeCrop, 99)).width).toBe(50)
    expect(frameOf(wide, zoomed(wide, wholeCrop, 0)).width).toBe(200)
  })

  test('moved by parts of its side, never out of the picture', () => {
    const crop = zoomed(wide, wholeCrop, 2)
    expect(frameOf(wide, moved(wide, crop, 0.5, 0.25))).toMatchObject({ left: 200, top: 75 })
    expect(frameOf(wide, moved(wide, crop, 99, 99))).toMatchObject({ left: 300, top: 100 })
    expect(frameOf(wide, moved(wide, crop, -99, -99))).toMatchObject({ left: 0, top: 0 })
  })

  test('put at a place, and found there', () => {
    expect(placeOf(wide, wholeCrop)).toEqual({ across: 0.5, down: null })
    const corner = placedAt(wide, zoomed(wide, wholeCrop, 2), { across: 0, down: 1 })
    expect(frameOf(wide, corner)).toMatchObject({ left: 0, top: 100 })
    expect(placeOf(wide, corner)).toEqual({ across: 0, down: 1 })
    expect(frameOf(wide, placedAt(wide, corner, { across: 1 }))).toMatchObject({
      left: 300,
      top: 100,
    })
  })

  test('zoomed out at an edge, it comes back into the picture', () => {
    const corner = moved(wide, zoomed(wide, wholeCrop, 4), 99, 99)
    expect(frameOf(wide, zoomed(wide, corner, 1))).toMatchObject({ left: 200, top: 0, width: 200 })
  })
})

describe('16:9', () => {
  const ratio = 16 / 9

  test('is as wide as a tall picture, and as high as a wide one', () => {
    expect(frameOf({ width: 1600, height: 1600, ratio }, wholeCrop)).toEqual({
      left: 0,
      top: 350,
      width: 1600,
      height: 900,
    })
    expect(frameOf({ width: 3200, height: 900, ratio }, wholeCrop)).toEqual({
      left: 800,
      top: 0,
      width: 1600,
      height: 900,
    })
  })

  test('moves by parts of its own width and height', () => {
    const tall = { width: 1600, height: 1800, ratio }
    expect(placeOf(tall, wholeCrop)).toEqual({ across: null, down: 0.5 })
    expect(frameOf(tall, moved(tall, wholeCrop, 1, 0.5))).toMatchObject({ left: 0, top: 900 })
    expect(frameOf(tall, moved(tall, wholeCrop, 0, -0.25))).toMatchObject({ left: 0, top: 225 })
  })
})
