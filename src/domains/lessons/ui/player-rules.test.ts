import { describe, expect, test } from 'vitest'
import { parseCaptions } from '../../media/caption-format.ts'
import { frameOf } from './player-frame.ts'
import { actionOf, speedBeside } from './player-keys.ts'
import { createPlayedTracker, type PlayedRange } from './player-played.ts'
import { preferencesFrom } from './player-preferences.ts'
import { previewAt, previewsIn } from './player-previews.ts'
import { sourceTypes } from './player-source.ts'

describe('the frame', () => {
  test.each([
    ['16:9', 1920, 1080, 'aspect-video'],
    ['a film wider than that', 2560, 1080, 'aspect-video'],
    ['4:3', 640, 480, 'aspect-4/3'],
    ['3:2, which is nearer to 4:3', 720, 480, 'aspect-4/3'],
    ['a square', 500, 500, 'aspect-square'],
    ['a phone held upright', 1080, 1920, 'aspect-square'],
    ['5:4', 1280, 1024, 'aspect-4/3'],
    ['nobody knows', null, null, 'aspect-video'],
    ['no picture', 0, 0, 'aspect-video'],
  ])('%s', (_what, width, height, frame) => {
    expect(frameOf(width, height)).toBe(frame)
  })
})

describe('keys', () => {
  const press = (key: string, held = {}) => ({
    key,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    ...held,
  })

  test('letters and digits work anywhere on the page, in either case', () => {
    expect(actionOf(press('k'), false)).toEqual({ do: 'togglePlay' })
    expect(actionOf(press('L'), false)).toEqual({ do: 'seekBy', by: 10 })
    expect(actionOf(press('j'), false)).toEqual({ do: 'seekBy', by: -10 })
    expect(actionOf(press('7'), false)).toEqual({ do: 'seekToPart', by: 0.7 })
    expect(actionOf(press('0'), false)).toEqual({ do: 'seekToPart', by: 0 })
    expect(actionOf(press('>'), false)).toEqual({ do: 'speedStep', by: 1 })
  })

  test.each([' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'])(
    '“%s” moves the page, unless the player has the focus',
    (key) => {
      expect(actionOf(press(key), false)).toBeNull()
      expect(actionOf(press(key), true)).not.toBeNull()
    },
  )

  test.each(['ctrlKey', 'altKey', 'metaKey'])('nothing happens with %s', (modifier) => {
    for (const key of ['k', 'f', 'l', '5', ' ', 'ArrowLeft']) {
      expect(actionOf(press(key, { [modifier]: true }), true)).toBeNull()
    }
  })

  test('other keys are nobody’s', () => {
    for (const key of ['a', 'Tab', 'Enter', 'Escape', 'F5', '/', 'toString']) {
      expect(actionOf(press(key), true)).toBeNull()
    }
  })

  test('speeds go up and down in steps, and stop at the last', () => {
    expect(speedBeside(1, 1)).toBe(1.25)
    expect(speedBeside(1, -1)).toBe(0.75)
    expect(speedBeside(2, 1)).toBe(2)
    expect(speedBeside(0.5, -1)).toBe(0.5)
    expect(speedBeside(1.1, 1)).toBe(1.25)
  })
})

describe('what was played', () => {
  function tracked() {
    const said: [PlayedRange, boolean][] = []
    const tracker = createPlayedTracker((range, leaving) => said.push([range, leaving]))
    return { tracker, said }
  }

  test('is told about every five seconds, without gaps', () => {
    const { tracker, said } = tracked()
    for (let second = 0; second <= 12; second += 0.5) tracker.plays(second)
    tracker.stops(12.2)
    expect(said).toEqual([
      [{ from: 0, to: 5 }, false],
      [{ from: 5, to: 10 }, false],
      [{ from: 10, to: 12.2 }, false],
    ])
  })

  test('leaves out what was seeked over', () => {
    const { tracker, said } = tracked()
    tracker.plays(1)
    tracker.plays(3)
    tracker.jumps()
    tracker.plays(60)
    tracker.plays(61)
    tracker.stops(61)
    expect(said.map(([range]) => range)).toEqual([
      { from: 1, to: 3 },
      { from: 60, to: 61 },
    ])
  })

  test('is told when the page may go, and goes on if it stays', () => {
    const { tracker, said } = tracked()
    tracker.plays(0)
    tracker.plays(2)
    tracker.leaves()
    tracker.leaves()
    tracker.plays(3)
    tracker.stops(3)
    expect(said).toEqual([
      [{ from: 0, to: 2 }, true],
      [{ from: 2, to: 3 }, false],
    ])
  })

  test('is nothing where nothing played', () => {
    const { tracker, said } = tracked()
    tracker.stops(4)
    tracker.jumps()
    tracker.plays(4)
    tracker.leaves()
    expect(said).toEqual([])
  })
})

describe('preferences', () => {
  const usual = { volume: 1, muted: false, speed: 1, captions: null, pageKeys: true }

  test.each([null, '', 'no JSON', 'null', '7', '[]', '{"volume":2,"speed":9,"muted":"yes"}'])(
    'from %s are the usual ones',
    (stored) => expect(preferencesFrom(stored)).toEqual(usual),
  )

  test('are what was kept', () => {
    const kept = { volume: 0.3, muted: true, speed: 1.5, captions: 'pt-BR', pageKeys: false }
    expect(preferencesFrom(JSON.stringify(kept))).toEqual(kept)
  })
})

describe('small pictures of the seek bar', () => {
  const base = 'https://thunder.example/storage/v1/videos/a/b/preview.vtt'
  const list = (line: string) => {
    const read = parseCaptions(`WEBVTT\n\n00:00.000 --> 00:05.000\n${line}\n`)
    return previewsIn('cues' in read ? read.cues : [], base)
  }

  test('are pieces of a sheet beside their list', () => {
    const previews = list('preview.jpg#xywh=160,90,160,90')
    expect(previews).toEqual([
      {
        start: 0,
        end: 5,
        url: 'https://thunder.example/storage/v1/videos/a/b/preview.jpg',
        x: 160,
        y: 90,
        width: 160,
        height: 90,
      },
    ])
    expect(previewAt(previews, 4.9)).toBe(previews[0])
    expect(previewAt(previews, 5)).toBeNull()
  })

  test.each([
    'preview.jpg',
    'preview.jpg#xywh=1,2,3',
    'preview.jpg#xywh=0,0,0,90',
    'https://evil.example/x.jpg#xywh=0,0,160,90',
    '//evil.example/x.jpg#xywh=0,0,160,90',
  ])('%s is none', (line) => expect(list(line)).toEqual([]))
})

test('a file offers its own type first, then those that browsers may know', () => {
  expect(sourceTypes('video/x-ms-wmv')).toEqual([
    'video/x-ms-wmv',
    'video/mp4',
    'video/webm',
    'video/ogg',
    'video/quicktime',
    'video/x-msvideo',
    'video/mov',
  ])
  expect(sourceTypes('video/webm')[0]).toBe('video/webm')
  expect(sourceTypes('video/webm')).toHaveLength(6)
})
