// The commands that make something of a video, each into a folder of its own that the caller removes.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../../server/unless-missing.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { FfmpegFailed, type RunLimits, runFfmpeg } from './ffmpeg-run.ts'
import { previewSheet } from './preview-sheet.ts'
import { inputOf, type Source, type VideoFacts } from './probe-video.ts'
import { Unconvertible, whyNot } from './unconvertible.ts'
import {
  audioKilobits,
  maxPixels,
  maxSeconds,
  type Preview,
  type Rung,
  rungName,
} from './video-ladder.ts'

export interface Conversion {
  programs: Ffmpeg
  source: Source
  facts: VideoFacts
  folder: string
  signal: AbortSignal
  limits: RunLimits
}

const common = ['-nostdin', '-hide_banner', '-v', 'error', '-stats_period', '0.5'].concat(
  // A film may say one size and have another.
  '-max_pixels',
  String(maxPixels),
)
const reporting = ['-progress', 'pipe:1']
/** Where somebody stood while filming is nobody's business. */
const bare = ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn']
const oneThread = ['-filter_threads', '1', '-filter_complex_threads', '1', '-threads', '1']

async function run(
  { programs, folder, signal, limits }: Conversion,
  args: string[],
  onProgress: (seconds: number) => void = () => {},
) {
  try {
    await runFfmpeg(programs.ffmpeg, args, { signal, ...limits, cwd: folder, onProgress })
  } catch (error) {
    const isAboutTheFile = error instanceof FfmpegFailed && error.ending === 'refused'
    throw isAboutTheFile ? new Unconvertible(whyNot.unreadable, { cause: error }) : error
  }
}

const tracksOf = ({ videoStream, audioStream }: VideoFacts) =>
  [videoStream, audioStream].flatMap((index) => (index === null ? [] : ['-map', `0:${index}`]))

/** Seconds that really are in the file: it is read to its end, but nothing is decoded. */
export async function measureSeconds(conversion: Conversion): Promise<number> {
  let measured = 0
  await run(
    conversion,
    [
      common,
      inputOf(conversion.source),
      tracksOf(conversion.facts),
      ['-c', 'copy', ...reporting, '-f', 'null', '-'],
    ].flat(),
    (seconds) => (measured = seconds),
  )
  return measured
}

/** Writes poster.jpg: a telling picture from near the beginning, which is often black itself. */
export async function makePoster(conversion: Conversion, seconds: number): Promise<void> {
  const { facts, source } = conversion
  const [ratio, long] = [
    facts.width / facts.height,
    Math.min(1280, Math.max(facts.width, facts.height)),
  ]
  const width = ratio >= 1 ? long : Math.max(2, Math.round(long * ratio))
  const height = ratio >= 1 ? Math.max(2, Math.round(long / ratio)) : long
  await run(
    conversion,
    [
      [...common, '-ss', String(Math.min(10, seconds * 0.1)), ...inputOf(source)],
      ['-map', `0:${facts.videoStream}`, ...bare, ...oneThread],
      ['-vf', `thumbnail=12,scale=${width}:${height},setsar=1,format=yuvj420p`],
      ['-frames:v', '1', '-q:v', '4', '-c:v', 'mjpeg', '-f', 'image2', '-update', '1'],
      [...reporting, 'poster.jpg'],
    ].flat(),
  )
}

/**
 * Writes preview.jpg. A run of its own: beside the ladder, whose pictures come often, its few would be waited
 * for while all the others pile up in memory. Only pictures that stand for themselves are decoded.
 */
export async function makePreview(
  conversion: Conversion,
  { step, count, ...preview }: Preview,
): Promise<void> {
  const { facts, source, folder } = conversion
  const { width, height } = preview.frame
  const pieces = join(folder, 'preview')
  await mkdir(pieces)
  const rhythm = `fps=${(1 / step).toFixed(6)}:start_time=0:round=up`
  const look = (decoded: 'nokey' | 'default') =>
    run(
      conversion,
      [
        [...common, '-skip_frame', decoded, ...inputOf(source)],
        ['-map', `0:${facts.videoStream}`, ...bare, ...oneThread],
        ['-vf', `${rhythm},scale=${width}:${height},setsar=1,format=yuvj420p`],
        ['-frames:v', String(count), '-c:v', 'mjpeg', '-q:v', '4', '-f', 'image2'],
        [...reporting, 'preview/%03d.jpg'],
      ].flat(),
    )
  const sheet = () => previewSheet(pieces, { step, count, ...preview })
  await look('nokey')
  let made = await sheet()
  if (!made) {
    // Some kinds do not say which of their pictures these are.
    await look('default')
    made = await sheet()
  }
  if (!made) throw new Unconvertible(whyNot.unreadable)
  await writeFile(join(folder, 'preview.jpg'), made)
}

function graphOf({ videoStream, framesPerSecond }: VideoFacts, ladder: Rung[]) {
  // More than 60 pictures in a second help nobody; fewer stay as they are, also when they vary.
  const steady = framesPerSecond > 61 ? 'fps=60,' : ''
  const copies = ladder.map((_, at) => `[s${at}]`).join('')
  return [
    `[0:${videoStream}]${steady}split=${ladder.length}${copies}`,
    ...ladder.map(
      (rung, at) =>
        `[s${at}]scale=${rung.frame.width}:${rung.frame.height}:flags=bicubic,setsar=1,format=yuv420p[v${at}]`,
    ),
  ].join(';')
}

/** Writes the ladder (hls/main.m3u8, hls/720p/index.m3u8 …) in one go, so that the film is decoded once. */
export async function makeLadder(
  conversion: Conversion,
  ladder: Rung[],
  onProgress: (seconds: number) => void,
): Promise<void> {
  const { programs, source, facts } = conversion
  const { audioStream } = facts
  const hasSound = audioStream !== null
  await run(
    conversion,
    [
      [...common, '-t', String(maxSeconds + 60), ...inputOf(source)],
      [...oneThread, '-filter_complex', graphOf(facts, ladder)],
      ladder.flatMap((_, at) => ['-map', `[v${at}]`]),
      hasSound ? ladder.flatMap(() => ['-map', `0:${audioStream}`]) : [],
      [
        ...bare,
        programs.isOld ? '-vsync' : '-fps_mode',
        'vfr',
        '-c:v',
        'libx264',
        '-preset',
        'veryfast',
        '-crf',
        '23',
      ],
      ladder.flatMap(({ maxrate }, at) =>
        [`-maxrate:v:${at}`, `${maxrate}k`].concat(`-bufsize:v:${at}`, `${2 * maxrate}k`),
      ),
      ['-force_key_frames', 'expr:gte(t,n_forced*4)', '-sc_threshold', '0'],
      ['-c:a', 'aac', '-b:a', `${audioKilobits}k`, '-ac', '2', '-ar', '48000'],
      ['-f', 'hls', '-hls_time', '4', '-hls_playlist_type', 'vod'],
      ['-hls_flags', 'independent_segments', '-hls_segment_type', 'fmp4'],
      ['-hls_fmp4_init_filename', 'init.mp4', '-hls_segment_filename', 'hls/%v/%05d.m4s'],
      ['-master_pl_name', 'main.m3u8', '-var_stream_map'],
      ladder
        .map((rung, at) => `v:${at},${hasSound ? `a:${at},` : ''}name:${rungName(rung)}`)
        .join(' '),
      [...reporting, 'hls/%v/index.m3u8'],
    ].flat(),
    onProgress,
  )
  const playlists = await Promise.all(
    ladder.map((rung) => {
      const file = join(conversion.folder, 'hls', rungName(rung), 'index.m3u8')
      return unlessMissing(readFile(file, 'utf8'), '')
    }),
  )
  const isWhole = (text: string) => text.includes('#EXTINF') && text.includes('#EXT-X-ENDLIST')
  if (!playlists.every(isWhole)) throw new Unconvertible(whyNot.unreadable)
}
