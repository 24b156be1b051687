import { expect, test } from 'vitest'
import { moved, placedAt, placeOf, squareOf, wholeCrop, zoomed } from './crop-square.ts'

const wide = { width: 400, height: 200 }

test('at first the middle, as large as it goes', () => {
  expect(squareOf(wide, wholeCrop)).toEqual({ left: 100, top: 0, side: 200 })
  expect(squareOf({ width: 200, height: 400 }, wholeCrop)).toEqual({ left: 0, top: 100, side: 200 })
})

test('zoomed in, a smaller square around the same middle', () => {
  expect(squareOf(wide, zoomed(wide, wholeCrop, 2))).toEqual({ left: 150, top: 50, side: 100 })
  expect(squareOf(wide, zoomed(wide, wholeCrop, 99)).side).toBe(50)
  expect(squareOf(wide, zoomed(wide, wholeCrop, 0)).side).toBe(200)
})

test('moved by parts of its side, never out of the picture', () => {
  const crop = zoomed(wide, wholeCrop, 2)
  expect(squareOf(wide, moved(wide, crop, 0.5, 0.25))).toEqual({ left: 200, top: 75, side: 100 })
  expect(squareOf(wide, moved(wide, crop, 99, 99))).toEqual({ left: 300, top: 100, side: 100 })
  expect(squareOf(wide, moved(wide, crop, -99, -99))).toEqual({ left: 0, top: 0, side: 100 })
})

test('put at a place, and found there', () => {
  expect(placeOf(wide, wholeCrop)).toEqual({ across: 0.5, down: null })
  const corner = placedAt(wide, zoomed(wide, wholeCrop, 2), { across: 0, down: 1 })
  expect(squareOf(wide, corner)).toEqual({ left: 0, top: 100, side: 100 })
  expect(placeOf(wide, corner)).toEqual({ across: 0, down: 1 })
  expect(squareOf(wide, placedAt(wide, corner, { across: 1 }))).toMatchObject({
    left: 300,
    top: 100,
  })
})

test('zoomed out at an edge, it comes back into the picture', () => {
  const corner = moved(wide, zoomed(wide, wholeCrop, 4), 99, 99)
  expect(squareOf(wide, zoomed(wide, corner, 1))).toEqual({ left: 200, top: 0, side: 200 })
})
