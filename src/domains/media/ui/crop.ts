// Which part of a picture is kept: a frame of a given shape. Lengths are in pixels of the picture.

export interface Crop {
  /** 1 shows as much as fits; 2 half of that. */
  zoom: number
  /** The middle of the frame, as a part of the picture's width and height. */
  x: number
  y: number
}

/** A picture, and the width of the frame divided by its height. */
export type Framed = { width: number; height: number; ratio: number }

export const wholeCrop: Crop = { zoom: 1, x: 0.5, y: 0.5 }
export const largestZoom = 4

const between = (least: number, value: number, most: number) =>
  Math.min(Math.max(value, least), most)

function frameSize(picture: Framed, zoom: number) {
  const width = Math.min(picture.width, picture.height * picture.ratio) / zoom
  return { width, height: width / picture.ratio }
}

/** Left, top, width and height of the frame. */
export function frameOf(picture: Framed, { zoom, x, y }: Crop) {
  const { width, height } = frameSize(picture, zoom)
  return {
    left: x * picture.width - width / 2,
    top: y * picture.height - height / 2,
    width,
    height,
  }
}

/** The nearest frame that lies within the picture. */
function within(picture: Framed, { zoom, x, y }: Crop): Crop {
  const frame = frameSize(picture, zoom)
  const kept = (part: number, length: number, side: number) =>
    between(side / 2, part * length, length - side / 2) / length
  return {
    zoom,
    x: kept(x, picture.width, frame.width),
    y: kept(y, picture.height, frame.height),
  }
}

/** The frame moved to the right and down, by parts of its own sides. */
export function moved(picture: Framed, crop: Crop, right: number, down: number): Crop {
  const frame = frameSize(picture, crop.zoom)
  return within(picture, {
    ...crop,
    x: crop.x + (right * frame.width) / picture.width,
    y: crop.y + (down * frame.height) / picture.height,
  })
}

/** How far the frame has gone of what it can go: 0 at the left or the top, 1 at the other end; null without room. */
export function placeOf(picture: Framed, crop: Crop) {
  const { left, top, width, height } = frameOf(picture, crop)
  const along = (start: number, room: number) => (room < 0.5 ? null : between(0, start / room, 1))
  return { across: along(left, picture.width - width), down: along(top, picture.height - height) }
}

/** The frame put at a place, as `placeOf` names it. */
export function placedAt(
  picture: Framed,
  crop: Crop,
  place: { across?: number; down?: number },
): Crop {
  const frame = frameSize(picture, crop.zoom)
  const middle = (part: number, length: number, side: number) =>
    (part * (length - side) + side / 2) / length
  return {
    ...crop,
    ...(place.across !== undefined && { x: middle(place.across, picture.width, frame.width) }),
    ...(place.down !== undefined && { y: middle(place.down, picture.height, frame.height) }),
  }
}

export function zoomed(picture: Framed, crop: Crop, zoom: number): Crop {
  return within(picture, { ...crop, zoom: between(1, zoom, largestZoom) })
}
