// Pure decisions about what is made of a video.

/** Longer and larger ones play as they were uploaded. */
export const maxSeconds = 6 * 60 * 60
export const maxPixels = 8192 * 4320
/** A picture that is many times as wide as it is high is a trick, or of no use in a player. */
const maxRatio = 5
const minSide = 16

/** By the shorter side, so that a film from an upright phone has the steps that it would have lying. */
const sides = [1080, 720, 480, 360]

export interface Rung {
  /** The shorter side in pixels, as in '720p'. */
  height: number
  frame: { width: number; height: number }
  /** Kilobits in a second. */
  maxrate: number
}

export const rungName = ({ height }: Pick<Rung, 'height'>) => `${height}p`

const even = (value: number) => Math.max(2, Math.floor(value / 2) * 2)

const maxrateOf = (side: number) =>
  side >= 1080 ? 5000 : side >= 720 ? 2800 : side >= 480 ? 1400 : side >= 360 ? 800 : 500

export const isPossible = ({ width, height }: { width: number; height: number }) =>
  Math.min(width, height) >= minSide &&
  Math.max(width, height) / Math.min(width, height) <= maxRatio

/** What a player may choose from, the best first; nothing is made larger than it came. */
export function ladderOf(picture: { width: number; height: number }): Rung[] {
  const short = Math.min(picture.width, picture.height)
  // A film that lacks a few lines of a step has its own size for it.
  const fitting = sides
    .filter((side) => side * 0.95 <= short)
    .map((side) => Math.min(side, even(short)))
  return (fitting.length > 0 ? fitting : [even(short)]).map((side) => ({
    height: side,
    frame: {
      width: even(Math.round((picture.width * side) / short)),
      height: even(Math.round((picture.height * side) / short)),
    },
    maxrate: maxrateOf(side),
  }))
}

export const audioKilobits = 128
const megabyte = 1024 * 1024

/** Bytes that the ladder cannot exceed, unless something is wrong. */
export function mostBytes(ladder: Rung[], seconds: number): number {
  const kilobits = ladder.reduce((sum, { maxrate }) => sum + maxrate + 1.5 * audioKilobits, 0)
  return Math.ceil(((kilobits * 1000) / 8) * seconds * 1.3) + 8 * megabyte
}

export interface Preview {
  count: number
  /** Seconds between two pictures. */
  step: number
  columns: number
  rows: number
  frame: { width: number; height: number }
}

/** Small pictures for the seek bar, at most one in a second and a hundred altogether, in one file. */
export function previewOf(picture: { width: number; height: number }, seconds: number): Preview {
  const step = Math.max(1, seconds / 100)
  const count = Math.min(100, Math.max(1, Math.ceil(seconds - 0.01)))
  const columns = Math.min(10, count)
  return {
    count,
    step,
    columns,
    rows: Math.ceil(count / columns),
    frame: { width: 160, height: even(Math.round((160 * picture.height) / picture.width)) },
  }
}

function timestamp(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const fraction = String(milliseconds % 1000).padStart(3, '0')
  return `${two(milliseconds / 3_600_000)}:${two((milliseconds / 60_000) % 60)}:${two((milliseconds / 1000) % 60)}.${fraction}`
}

/** Says which part of preview.jpg shows which moment. */
export function previewTrack({ count, step, columns, frame }: Preview, seconds: number): string {
  const cues = Array.from({ length: count }, (_, at) => {
    const to = at === count - 1 ? Math.max(seconds, 0.001) : (at + 1) * step
    const x = (at % columns) * frame.width
    const y = Math.floor(at / columns) * frame.height
    return `${timestamp(at * step)} --> ${timestamp(to)}\npreview.jpg#xywh=${x},${y},${frame.width},${frame.height}\n`
  })
  return `WEBVTT\n\n${cues.join('\n')}`
}
