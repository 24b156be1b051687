import { describe, expect, test } from 'vitest'
import {
  isPossible,
  ladderOf,
  maxPixels,
  maxSeconds,
  mostBytes,
  previewOf,
  previewTrack,
  rungName,
} from './video-ladder.ts'

const steps = (width: number, height: number) =>
  ladderOf({ width, height }).map(
    (rung) => `${rung.height}: ${rung.frame.width}x${rung.frame.height}`,
  )

describe('the ladder', () => {
  test.each([
    [3840, 2160, ['1080: 1920x1080', '720: 1280x720', '480: 852x480', '360: 640x360']],
    [1280, 720, ['720: 1280x720', '480: 852x480', '360: 640x360']],
    // An upright phone has the steps that it would have lying.
    [1080, 1920, ['1080: 1080x1920', '720: 720x1280', '480: 480x852', '360: 360x640']],
    // Never larger than it came, and always even.
    [320, 180, ['180: 320x180']],
    [641, 359, ['358: 638x358']],
    [1279, 719, ['718: 1276x718', '480: 854x480', '360: 640x360']],
    [1920, 800, ['720: 1728x720', '480: 1152x480', '360: 864x360']],
  ])('of %d x %d', (width, height, expected) => {
    expect(steps(width, height)).toEqual(expected)
  })

  test.each([
    [1920, 1026, [1026, 720, 480, 360]],
    [1920, 1025, [720, 480, 360]],
    [1280, 684, [684, 480, 360]],
    [1280, 683, [480, 360]],
    [640, 342, [342]],
    [640, 340, [340]],
    [16, 2, [2]],
  ])('of %d x %d has the steps that it nearly fills', (width, height, expected) => {
    expect(ladderOf({ width, height }).map((rung) => rung.height)).toEqual(expected)
  })

  test('of a step carries what it needs', () => {
    const maxrates = [1080, 1079, 720, 719, 480, 479, 360, 359].map(
      (height) => ladderOf({ width: 5000, height })[0]!.maxrate,
    )
    expect(maxrates).toEqual([5000, 2800, 2800, 1400, 1400, 800, 800, 500])
  })

  test('of an hour takes a known room at most', () => {
    const ladder = ladderOf({ width: 1920, height: 1080 })
    const kilobits = 5000 + 2800 + 1400 + 800 + 4 * 192
    const megabyte = 1024 * 1024
    expect(mostBytes(ladder, 3600)).toBe(Math.ceil(kilobits * 125 * 3600 * 1.3) + 8 * megabyte)
    expect(mostBytes(ladder, 0)).toBe(8 * megabyte)
  })
})

test('a film has up to six hours and 8192 × 4320 pixels, and its steps are called by their height', () => {
  expect([maxSeconds, maxPixels]).toEqual([21_600, 35_389_440])
  expect(rungName({ height: 720 })).toBe('720p')
})

test('pictures that no player could show are refused', () => {
  expect(isPossible({ width: 1920, height: 1080 })).toBe(true)
  expect(isPossible({ width: 16, height: 16 })).toBe(true)
  expect(isPossible({ width: 640, height: 20 })).toBe(false)
  expect(isPossible({ width: 100, height: 20 })).toBe(true)
  expect(isPossible({ width: 20, height: 100 })).toBe(true)
  expect(isPossible({ width: 101, height: 20 })).toBe(false)
  expect(isPossible({ width: 16, height: 15 })).toBe(false)
  expect(isPossible({ width: 14, height: 14 })).toBe(false)
})

describe('the pictures of the seek bar', () => {
  const wide = { width: 1920, height: 1080 }

  test.each([
    [0.4, { count: 1, step: 1, columns: 1, rows: 1 }],
    [2, { count: 2, step: 1, columns: 2, rows: 1 }],
    [10.005, { count: 10, step: 1, columns: 10, rows: 1 }],
    [10.02, { count: 11, step: 1, columns: 10, rows: 2 }],
    [25, { count: 25, step: 1, columns: 10, rows: 3 }],
    [100, { count: 100, step: 1, columns: 10, rows: 10 }],
    [21_600, { count: 100, step: 216, columns: 10, rows: 10 }],
  ])('of %d seconds', (seconds, expected) => {
    expect(previewOf(wide, seconds)).toEqual({ ...expected, frame: { width: 160, height: 90 } })
  })

  test('stand for as long as the film goes on', () => {
    const timesOf = (seconds: number) =>
      [...previewTrack(previewOf(wide, seconds), seconds).matchAll(/(\S+) --> (\S+)/g)].map(
        ([, from, to]) => [from, to],
      )
    expect(timesOf(2.5)).toEqual([
      ['00:00:00.000', '00:00:01.000'],
      ['00:00:01.000', '00:00:02.000'],
      ['00:00:02.000', '00:00:02.500'],
    ])
    expect(timesOf(0)).toEqual([['00:00:00.000', '00:00:00.001']])
  })

  test('are told apart by time, to the very end', () => {
    const cues = previewTrack(previewOf(wide, 7200), 7200).trim().split('\n\n').slice(1)
    expect(cues).toHaveLength(100)
    expect(cues[0]).toBe('00:00:00.000 --> 00:01:12.000\npreview.jpg#xywh=0,0,160,90')
    expect(cues[13]).toBe('00:15:36.000 --> 00:16:48.000\npreview.jpg#xywh=480,90,160,90')
    expect(cues[99]).toBe('01:58:48.000 --> 02:00:00.000\npreview.jpg#xywh=1440,810,160,90')
  })
})
