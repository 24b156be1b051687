// Which square of a picture is kept. Lengths are in pixels of the picture.

export interface Crop {
  /** 1 shows as much as fits; 2 half of that. */
  zoom: number
  /** The middle of the square, as a part of the picture's width and height. */
  x: number
  y: number
}

type Size = { width: number; height: number }

export const wholeCrop: Crop = { zoom: 1, x: 0.5, y: 0.5 }
export const largestZoom = 4

const between = (least: number, value: number, most: number) =>
  Math.min(Math.max(value, least), most)

const sideOf = (picture: Size, zoom: number) => Math.min(picture.width, picture.height) / zoom

/** Left, top and side of the square. */
export function squareOf(picture: Size, { zoom, x, y }: Crop) {
  const side = sideOf(picture, zoom)
  return { left: x * picture.width - side / 2, top: y * picture.height - side / 2, side }
}

/** The nearest square that lies within the picture. */
function within(picture: Size, { zoom, x, y }: Crop): Crop {
  const half = sideOf(picture, zoom) / 2
  const kept = (part: number, length: number) =>
    between(half, part * length, length - half) / length
  return { zoom, x: kept(x, picture.width), y: kept(y, picture.height) }
}

/** The square moved to the right and down, by parts of its side. */
export function moved(picture: Size, crop: Crop, right: number, down: number): Crop {
  const side = sideOf(picture, crop.zoom)
  return within(picture, {
    ...crop,
    x: crop.x + (right * side) / picture.width,
    y: crop.y + (down * side) / picture.height,
  })
}

/** How far the square could still go, and how far it has gone: 0 at the left or the top, 1 at the other end. */
export function placeOf(picture: Size, crop: Crop) {
  const { left, top, side } = squareOf(picture, crop)
  const along = (start: number, room: number) => (room < 0.5 ? null : between(0, start / room, 1))
  return { across: along(left, picture.width - side), down: along(top, picture.height - side) }
}

/** The square put at a place, as `placeOf` names it. */
export function placedAt(
  picture: Size,
  crop: Crop,
  place: { across?: number; down?: number },
): Crop {
  const side = sideOf(picture, crop.zoom)
  const middle = (part: number, length: number) => (part * (length - side) + side / 2) / length
  return {
    ...crop,
    ...(place.across !== undefined && { x: middle(place.across, picture.width) }),
    ...(place.down !== undefined && { y: middle(place.down, picture.height) }),
  }
}

export function zoomed(picture: Size, crop: Crop, zoom: number): Crop {
  return within(picture, { ...crop, zoom: between(1, zoom, largestZoom) })
}
