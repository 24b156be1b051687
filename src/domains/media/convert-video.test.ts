// The commands that make something of a video, word by word, and what is thought of what they leave: with a program that
// notes how it was called. What the real one makes of them is shown by processing.test.ts.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Conversion,
  makeLadder,
  makePoster,
  makePreview,
  measureSeconds,
} from './convert-video.ts'
import { FfmpegFailed } from './ffmpeg-run.ts'
import { inputOf } from './probe-video.ts'
import { Unconvertible, whyNot } from './unconvertible.ts'

let folder: string
let programs: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convert-'))
  programs = await mkdtemp(join(tmpdir(), 'programs-'))
})
afterEach(async () => {
  for (const one of [folder, programs]) await rm(one, { recursive: true })
})

const source = { path: '/videos/a film', contentType: 'video/webm' }
const facts = {
  declaredSeconds: 12,
  width: 1280,
  height: 720,
  framesPerSecond: 25,
  videoStream: 0,
  audioStream: 1 as number | null,
}

interface Wanted {
  facts?: Partial<typeof facts>
  isOld?: boolean
  signal?: AbortSignal
}

/** With a program that notes its words, then does what the script says. */
async function conversionBy(script: string, wanted: Wanted = {}): Promise<Conversion> {
  const ffmpeg = join(programs, 'ffmpeg')
  const note = `for one in "$@"; do echo "$one"; done >> "$0.words"`
  await writeFile(ffmpeg, `#!/bin/sh\n${note}\n${script}\n`)
  await chmod(ffmpeg, 0o755)
  return {
    programs: { ffmpeg, ffprobe: 'none', isOld: wanted.isOld ?? false },
    source,
    facts: { ...facts, ...wanted.facts },
    folder,
    signal: wanted.signal ?? new AbortController().signal,
    limits: { stallSeconds: 120, wallSeconds: 120 },
  }
}

const said = async () =>
  (await readFile(join(programs, 'ffmpeg.words'), 'utf8')).trimEnd().split('\n')
const words = (...lines: string[]) => lines.flatMap((line) => line.split(' '))

const common = words(
  '-nostdin -hide_banner -v error -stats_period 0.5 -max_pixels',
  String(8192 * 4320),
)
const bare = words('-map_metadata -1 -map_chapters -1 -sn -dn')
const oneThread = words('-filter_threads 1 -filter_complex_threads 1 -threads 1')
const reporting = words('-progress pipe:1')

describe('how long a film really is', () => {
  test('is how far its tracks can be read', async () => {
    const conversion = await conversionBy(
      'echo out_time_us=1500000; echo out_time_us=2500000; echo progress=end',
    )
    expect(await measureSeconds(conversion)).toBe(2.5)
    expect(await said()).toEqual([
      ...common,
      ...inputOf(source),
      ...words('-map 0:0 -map 0:1 -c copy'),
      ...reporting,
      ...words('-f null -'),
    ])
  })

  test('is nothing where nothing is read', async () => {
    const conversion = await conversionBy('', { facts: { videoStream: 3, audioStream: null } })
    expect(await measureSeconds(conversion)).toBe(0)
    expect((await said()).filter((word) => word.startsWith('0:'))).toEqual(['0:3'])
  })
})

describe('the poster', () => {
  test('is from near the beginning, and says nothing of where it was filmed', async () => {
    await makePoster(await conversionBy('', { facts: { videoStream: 2 } }), 12)
    expect(await said()).toEqual([
      ...common,
      ...words('-ss 1.2000000000000002'),
      ...inputOf(source),
      ...words('-map 0:2'),
      ...bare,
      ...oneThread,
      ...words('-vf thumbnail=12,scale=1280:720,setsar=1,format=yuvj420p'),
      ...words('-frames:v 1 -q:v 4 -c:v mjpeg -f image2 -update 1'),
      ...reporting,
      'poster.jpg',
    ])
  })

  test.each([
    [100, '10'],
    [101, '10'],
    [50, '5'],
  ])('of %d seconds is at most ten seconds in', async (seconds, at) => {
    await makePoster(await conversionBy(''), seconds)
    const all = await said()
    expect(all[all.indexOf('-ss') + 1]).toBe(at)
  })

  test.each([
    [1920, 1080, '1280:720'],
    [1080, 1920, '720:1280'],
    [500, 500, '500:500'],
    [3000, 3000, '1280:1280'],
    [640, 360, '640:360'],
    [360, 640, '360:640'],
    [2000, 1, '1280:2'],
    [1, 2000, '2:1280'],
  ])('of %d x %d is no larger than it came, nor than 1280', async (width, height, size) => {
    await makePoster(await conversionBy('', { facts: { width, height } }), 10)
    expect((await said()).join(' ')).toContain(`scale=${size},`)
  })
})

describe('the preview', () => {
  const frame = { width: 16, height: 8 }
  const preview = { count: 3, step: 4, columns: 2, rows: 2, frame }
  const look = (decoded: string) => [
    ...common,
    ...words('-skip_frame', decoded),
    ...inputOf(source),
    ...words('-map 0:0'),
    ...bare,
    ...oneThread,
    ...words('-vf fps=0.250000:start_time=0:round=up,scale=16:8,setsar=1,format=yuvj420p'),
    ...words('-frames:v 3 -c:v mjpeg -q:v 4 -f image2'),
    ...reporting,
    'preview/%03d.jpg',
  ]
  const piece = async () => {
    const path = join(programs, 'piece.jpg')
    await sharp({ create: { ...frame, channels: 3, background: '#f00' } })
      .jpeg()
      .toFile(path)
    return path
  }

  test('is made of pictures that stand for themselves', async () => {
    await makePreview(await conversionBy(`cp ${await piece()} preview/001.jpg`), preview)
    expect(await said()).toEqual(look('nokey'))
    const { format, width, height } = await sharp(join(folder, 'preview.jpg')).metadata()
    expect([format, width, height]).toEqual(['jpeg', 32, 16])
  })

  test('is made of all pictures where the film does not say which these are', async () => {
    const script = `case "$*" in *default*) cp ${await piece()} preview/001.jpg;; esac`
    await makePreview(await conversionBy(script), preview)
    expect(await said()).toEqual([...look('nokey'), ...look('default')])
    expect(await readdir(folder)).toContain('preview.jpg')
  })

  test('of no picture at all is none', async () => {
    const work = makePreview(await conversionBy(''), preview)
    await expect(work).rejects.toThrow(new Unconvertible(whyNot.unreadable))
    expect(await readdir(folder)).toEqual(['preview'])
  })
})

describe('the ladder', () => {
  const high = { height: 720, frame: { width: 1280, height: 720 }, maxrate: 2800 }
  const low = { height: 360, frame: { width: 640, height: 360 }, maxrate: 800 }
  const whole = '#EXTM3U\n#EXTINF:4,\n00000.m4s\n#EXT-X-ENDLIST\n'
  const hear = () => {}

  beforeEach(async () => {
    for (const name of ['720p', '360p']) {
      await mkdir(join(folder, 'hls', name), { recursive: true })
      await writeFile(join(folder, 'hls', name, 'index.m3u8'), whole)
    }
  })

  test('is made in one go, each step with its own picture and sound', async () => {
    const heard: number[] = []
    const conversion = await conversionBy('echo out_time_us=3000000')
    await makeLadder(conversion, [high, low], (seconds) => heard.push(seconds))
    expect(heard).toEqual([3])
    expect(await said()).toEqual([
      ...common,
      ...words('-t 21660'),
      ...inputOf(source),
      ...oneThread,
      '-filter_complex',
      [
        '[0:0]split=2[s0][s1]',
        '[s0]scale=1280:720:flags=bicubic,setsar=1,format=yuv420p[v0]',
        '[s1]scale=640:360:flags=bicubic,setsar=1,format=yuv420p[v1]',
      ].join(';'),
      ...words('-map [v0] -map [v1] -map 0:1 -map 0:1'),
      ...bare,
      ...words('-fps_mode vfr -c:v libx264 -preset veryfast -crf 23'),
      ...words('-maxrate:v:0 2800k -bufsize:v:0 5600k -maxrate:v:1 800k -bufsize:v:1 1600k'),
      ...words('-force_key_frames expr:gte(t,n_forced*4) -sc_threshold 0'),
      ...words('-c:a aac -b:a 128k -ac 2 -ar 48000'),
      ...words('-f hls -hls_time 4 -hls_playlist_type vod'),
      ...words('-hls_flags independent_segments -hls_segment_type fmp4'),
      ...words('-hls_fmp4_init_filename init.mp4 -hls_segment_filename hls/%v/%05d.m4s'),
      ...words('-master_pl_name main.m3u8 -var_stream_map'),
      'v:0,a:0,name:720p v:1,a:1,name:360p',
      ...reporting,
      'hls/%v/index.m3u8',
    ])
  })

  test('of a film without sound has none', async () => {
    const silent = await conversionBy('', { facts: { audioStream: null } })
    await makeLadder(silent, [high], hear)
    const all = await said()
    expect(all.filter((_, at) => all[at - 1] === '-map')).toEqual(['[v0]'])
    expect(all).toContain('v:0,name:720p')
  })

  test('has at most 60 pictures in a second, and a film of fewer keeps its own', async () => {
    for (const [framesPerSecond, beginning] of [
      [61, '[0:0]split=1[s0];'],
      [62, '[0:0]fps=60,split=1[s0];'],
    ] as const) {
      await rm(join(programs, 'ffmpeg.words'), { force: true })
      await makeLadder(await conversionBy('', { facts: { framesPerSecond } }), [high], hear)
      const all = await said()
      const graph = all[all.indexOf('-filter_complex') + 1]!
      expect(graph.slice(0, beginning.length)).toBe(beginning)
    }
  })

  test('is asked for in the words of an old program where there is one', async () => {
    await makeLadder(await conversionBy('', { isOld: true }), [high], hear)
    expect((await said()).join(' ')).toContain(' -vsync vfr -c:v libx264 ')
  })

  test.each([
    ['that is not there', null],
    ['without a piece', '#EXTM3U\n#EXT-X-ENDLIST\n'],
    ['without an end', '#EXTM3U\n#EXTINF:4,\n00000.m4s\n'],
  ])('is none with one playlist %s', async (_what, text) => {
    const file = join(folder, 'hls', '360p', 'index.m3u8')
    if (text === null) await rm(file)
    else await writeFile(file, text)
    const work = makeLadder(await conversionBy(''), [high, low], hear)
    await expect(work).rejects.toThrow(new Unconvertible(whyNot.unreadable))
  })
})

describe('a program that fails', () => {
  const errorOf = async (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    )

  test('and says so is about the film, which cannot be read', async () => {
    const error = await errorOf(measureSeconds(await conversionBy('echo Broken >&2; exit 1')))
    expect(error).toBeInstanceOf(Unconvertible)
    expect((error as Error).message).toBe(whyNot.unreadable)
    expect((error as Error).cause).toMatchObject({ ending: 'refused', message: 'refused: Broken' })
  })

  test('because something ended it says nothing about the film', async () => {
    const error = await errorOf(measureSeconds(await conversionBy('kill -9 $$')))
    expect(error).toBeInstanceOf(FfmpegFailed)
    expect(error).toMatchObject({ ending: 'killed' })
  })

  test('is ended when the work is', async () => {
    const stop = new AbortController()
    const reason = new Error('the server stops')
    const conversion = await conversionBy('echo > begun; sleep 30', { signal: stop.signal })
    const work = errorOf(makePoster(conversion, 10))
    await expect.poll(() => readdir(folder)).toContain('begun')
    stop.abort(reason)
    expect(await work).toBe(reason)
  })

  test('is ended when it says nothing for too long, or takes too long', async () => {
    const conversion = await conversionBy('sleep 30')
    const limited = (limits: Partial<Conversion['limits']>) =>
      errorOf(measureSeconds({ ...conversion, limits: { ...conversion.limits, ...limits } }))
    expect(await limited({ stallSeconds: 0.3 })).toMatchObject({ ending: 'stalled' })
    expect(await limited({ wallSeconds: 0.3 })).toMatchObject({ ending: 'too slow' })
  })
})
