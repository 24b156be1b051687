// What is taken from what ffprobe says of a file: with a program that says what we like.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inputOf, probeVideo } from './probe-video.ts'
import { Unconvertible, whyNot } from './unconvertible.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const source = { path: '/videos/a film', contentType: 'video/mp4' }

async function probed(says: unknown, script = 'cat "$0.json"') {
  const ffprobe = join(folder, 'ffprobe')
  await writeFile(`${ffprobe}.json`, JSON.stringify(says))
  await writeFile(ffprobe, `#!/bin/sh\necho "$@" > "$0.arguments"\n${script}\n`)
  await chmod(ffprobe, 0o755)
  const { signal } = new AbortController()
  return probeVideo({ ffmpeg: 'none', ffprobe }, source, {
    signal,
    stallSeconds: 120,
    wallSeconds: 120,
  })
}

const picture = (more: object = {}) => ({
  index: 0,
  codec_type: 'video',
  codec_name: 'h264',
  width: 640,
  height: 360,
  avg_frame_rate: '25/1',
  ...more,
})
const sound = (more: object = {}) => ({
  index: 1,
  codec_type: 'audio',
  codec_name: 'aac',
  ...more,
})

const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Unconvertible)
  return (error as Error).message
}

describe('a film', () => {
  test('is as large, as quick and as long as it says', async () => {
    const streams = [picture({ duration: '12.5' }), sound({ duration: '12.75' })]
    expect(await probed({ streams, format: { duration: '99' } })).toEqual({
      width: 640,
      height: 360,
      framesPerSecond: 25,
      declaredSeconds: 12.75,
      videoStream: 0,
      audioStream: 1,
    })
    const said = await readFile(join(folder, 'ffprobe.arguments'), 'utf8')
    expect(said.trim()).toBe(
      `-v error -of json -show_streams -show_format ${inputOf(source).join(' ')}`,
    )
  })

  test('without sound, or without a length of its tracks, has what there is', async () => {
    expect(await probed({ streams: [picture()], format: { duration: '7' } })).toMatchObject({
      audioStream: null,
      declaredSeconds: 7,
    })
    for (const format of [
      undefined,
      {},
      { duration: 'N/A' },
      { duration: '0' },
      { duration: '-1' },
    ]) {
      expect(await probed({ streams: [picture()], format })).toMatchObject({
        declaredSeconds: null,
      })
    }
  })

  test.each([
    ['30000/1001', 29.97],
    ['0/0', 30],
    ['25', 30],
    ['-25/1', 30],
    ['x', 30],
    [undefined, 30],
  ])('of %s pictures in a second', async (avg_frame_rate, expected) => {
    const { framesPerSecond } = await probed({ streams: [picture({ avg_frame_rate })] })
    expect(framesPerSecond).toBeCloseTo(expected, 2)
  })

  test.each([
    ['4:3', 853, 360],
    ['1:1', 640, 360],
    ['0:1', 640, 360],
    [undefined, 640, 360],
  ])('with pixels of %s is seen %d wide', async (sample_aspect_ratio, width, height) => {
    expect(await probed({ streams: [picture({ sample_aspect_ratio })] })).toMatchObject({
      width,
      height,
    })
  })

  test.each([
    [90, 360, 640],
    [-90, 360, 640],
    [270, 360, 640],
    [180, 640, 360],
    [0, 640, 360],
    [88, 360, 640],
  ])('that is turned by %d stands so', async (rotation, width, height) => {
    const side_data_list = [{}, { rotation }]
    expect(await probed({ streams: [picture({ side_data_list })] })).toMatchObject({
      width,
      height,
    })
  })

  test('of several tracks is the one that it says, else the first that can be shown', async () => {
    const cover = picture({ disposition: { attached_pic: 1 } })
    const unknown = picture({ index: 1, codec_name: 'none' })
    const first = picture({ index: 2 })
    const chosen = picture({ index: 3, disposition: { default: 1 } })
    const sounds = [
      sound({ index: 4, codec_name: undefined }),
      sound({ index: 5 }),
      sound({ index: 6, disposition: { default: 1 } }),
    ]
    const text = { index: 7, codec_type: 'subtitle', codec_name: 'mov_text' }
    expect(
      await probed({ streams: [cover, unknown, first, chosen, ...sounds, text] }),
    ).toMatchObject({ videoStream: 3, audioStream: 6 })
    expect(await probed({ streams: [cover, unknown, first, ...sounds.slice(0, 2)] })).toMatchObject(
      {
        videoStream: 2,
        audioStream: 5,
      },
    )
  })
})

describe('is refused in words', () => {
  test.each([
    ['nothing', {}],
    ['sound alone', { streams: [sound()] }],
    ['a cover', { streams: [picture({ disposition: { attached_pic: 1 } })] }],
    ['pictures that nobody knows', { streams: [picture({ codec_name: 'none' })] }],
    ['pictures without a width', { streams: [picture({ width: 0 })] }],
    ['pictures without a height', { streams: [picture({ height: undefined })] }],
  ])('%s', async (_what, says) => {
    expect(await refusalOf(probed(says))).toBe(whyNot.noPictures)
  })

  test('what is too large to be decoded', async () => {
    const most = { width: 8192, height: 4320 }
    expect(await probed({ streams: [picture(most)] })).toMatchObject(most)
    expect(await refusalOf(probed({ streams: [picture({ ...most, height: 4321 })] }))).toBe(
      whyNot.tooLarge,
    )
  })

  test('what cannot be read, or says far too much; not what was only killed', async () => {
    expect(await refusalOf(probed({}, 'echo Invalid data >&2; exit 1'))).toBe(whyNot.unreadable)
    const tooMuch = `head -c 2100000 /dev/zero | tr '\\0' 'a'; sleep 0.2`
    expect(await refusalOf(probed({}, tooMuch))).toBe(whyNot.unreadable)
    await expect(probed({}, 'kill -9 $$')).rejects.toThrow('killed')
  })
})

test('a file is opened by the reader for what it is, and nothing else is', () => {
  const common = (reader: string) => [
    ['-protocol_whitelist', 'file', '-format_whitelist', reader, '-codec_whitelist'],
    [expect.stringMatching(/^h264,hevc,[\w,-]+,libspeex$/), '-max_alloc', '536870912'],
  ]
  const opened = (reader: string) => ['-threads', '1', '-f', reader, '-i', 'file:/videos/a film']
  const own = ['-enable_drefs', '0', '-use_absolute_path', '0']
  for (const contentType of ['video/mp4', 'video/quicktime', 'video/3gpp']) {
    expect(inputOf({ ...source, contentType })).toEqual(
      [...common('mov'), own, opened('mov')].flat(),
    )
  }
  for (const [contentType, reader] of [
    ['video/webm', 'matroska'],
    ['video/ogg', 'ogg'],
    ['video/x-msvideo', 'avi'],
    ['video/x-ms-wmv', 'asf'],
  ] as const) {
    expect(inputOf({ ...source, contentType })).toEqual([...common(reader), opened(reader)].flat())
  }
  expect(() => inputOf({ ...source, contentType: 'video/unknown' })).toThrow(whyNot.noPictures)
})

test('why a film stays as it was is said in words of its own each time', () => {
  const words = Object.values(whyNot).filter((why) => typeof why === 'string')
  for (const why of words) {
    expect(why).toMatch(
      /^This video could not be converted: \w+ \w+ .+\. Browsers that know its format play it as you uploaded it; MP4/,
    )
  }
  expect(new Set(words).size).toBe(10)
})

test('why a film is incomplete says how much of it there is', () => {
  expect(whyNot.incomplete(59.9, 3661)).toContain('only the first 0:59 of 1:01:01 can be read')
  expect(whyNot.incomplete(60, 3599)).toContain('only the first 1:00 of 59:59 can be read')
  expect(whyNot.incomplete(3600, 36_000)).toContain(
    'only the first 1:00:00 of 10:00:00 can be read',
  )
  expect(whyNot.tooLong).toContain('it is longer than 6 hours')
})
