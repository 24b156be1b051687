import type { Ffmpeg } from './ffmpeg.ts'
import { FfmpegFailed, type RunLimits, runFfmpeg } from './ffmpeg-run.ts'
import { Unconvertible, whyNot } from './unconvertible.ts'
import { maxPixels } from './video-ladder.ts'

export interface Source {
  path: string
  contentType: string
}

export interface VideoFacts {
  /** As the tracks say, which may lie; null where they do not. */
  declaredSeconds: number | null
  /** As people see it: turned, and with square pixels. */
  width: number
  height: number
  framesPerSecond: number
  videoStream: number
  audioStream: number | null
}

/** ffmpeg's readers by what we found the bytes to be: it never guesses, so nothing else is ever opened. */
const readers: Record<string, string> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/3gpp': 'mov',
  'video/webm': 'matroska',
  'video/ogg': 'ogg',
  'video/x-msvideo': 'avi',
  'video/x-ms-wmv': 'asf',
}

/** What people's films are in; ffmpeg knows hundreds more, most of which nobody has looked at for years. */
const decoders = [
  'h264,hevc,vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,libgav1,mpeg4,mpeg1video,mpeg2video,mpegvideo',
  'msmpeg4v1,msmpeg4v2,msmpeg4,h263,h263i,h263p,flv,wmv1,wmv2,wmv3,vc1,theora,mjpeg,mjpegb,prores,dnxhd',
  'dvvideo,svq1,svq3,cinepak,rawvideo,qtrle,png,huffyuv,ffv1,cfhd,tscc,tscc2,zmbv,cscd,gif',
  'aac,aac_latm,aac_fixed,mp3,mp3float,mp2,mp2float,mp1,mp1float,ac3,eac3,dca,vorbis,libvorbis,opus,libopus',
  'flac,alac,wmav1,wmav2,wmapro,wmalossless,wmavoice,amrnb,amrwb,libopencore_amrnb,libopencore_amrwb',
  'pcm_s8,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le',
  'pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav,adpcm_ima_qt,qdm2,speex,libspeex',
].join(',')

/**
 * The part of a command that opens somebody's file: this file and no other, no network, no reader or
 * decoder that we do not expect, and no more memory than an honest film needs.
 */
export function inputOf({ path, contentType }: Source): string[] {
  const reader = readers[contentType]
  if (!reader) throw new Unconvertible(whyNot.noPictures)
  return [
    ['-protocol_whitelist', 'file', '-format_whitelist', reader],
    ['-codec_whitelist', decoders, '-max_alloc', String(512 * 1024 * 1024)],
    // A QuickTime file can name other files to read from.
    reader === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : [],
    ['-threads', '1', '-f', reader, '-i', `file:${path}`],
  ].flat()
}

interface Stream {
  index: number
  codec_type?: string
  codec_name?: string
  width?: number
  height?: number
  duration?: string
  avg_frame_rate?: string
  sample_aspect_ratio?: string
  disposition?: { attached_pic?: number; default?: number }
  side_data_list?: { rotation?: number }[]
}

function ratioOf(text: string | undefined, otherwise: number): number {
  const [above, below] = (text ?? '').split(/[:/]/).map(Number)
  const ratio = above! / below!
  return Number.isFinite(ratio) && ratio > 0 ? ratio : otherwise
}

/** Width and height as people see them. */
function seen({ width = 0, height = 0, sample_aspect_ratio, side_data_list = [] }: Stream) {
  const wide = Math.round(width * ratioOf(sample_aspect_ratio, 1))
  const rotation = side_data_list.find((one) => one.rotation !== undefined)?.rotation ?? 0
  const isTurned = Math.round(Math.abs(rotation) / 90) % 2 === 1
  return isTurned ? { width: height, height: wide } : { width: wide, height }
}

const isKnown = ({ codec_name }: Stream) => codec_name !== undefined && codec_name !== 'none'

function longest(durations: (string | undefined)[]): number | null {
  const known = durations.map(Number).filter((seconds) => seconds > 0)
  return known.length > 0 ? Math.max(...known) : null
}

/**
 * What a video says about itself.
 * @throws {Unconvertible}
 */
export async function probeVideo(
  { ffprobe }: Ffmpeg,
  source: Source,
  run: { signal: AbortSignal } & RunLimits,
): Promise<VideoFacts> {
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', ...inputOf(source)]
  const text = await runFfmpeg(ffprobe, args, run).catch((error: unknown) => {
    const isAboutTheFile =
      error instanceof FfmpegFailed && ['refused', 'too much'].includes(error.ending)
    throw isAboutTheFile ? new Unconvertible(whyNot.unreadable, { cause: error }) : error
  })
  const { streams = [], format } = JSON.parse(text) as {
    streams?: Stream[]
    format?: { duration?: string }
  }
  const pictures = streams.filter(
    (one) => one.codec_type === 'video' && isKnown(one) && !one.disposition?.attached_pic,
  )
  const video = pictures.find((one) => one.disposition?.default) ?? pictures[0]
  if (!video?.width || !video.height) throw new Unconvertible(whyNot.noPictures)
  if (video.width * video.height > maxPixels) throw new Unconvertible(whyNot.tooLarge)
  const sounds = streams.filter((one) => one.codec_type === 'audio' && isKnown(one))
  const sound = sounds.find((one) => one.disposition?.default) ?? sounds[0]
  return {
    ...seen(video),
    declaredSeconds: longest([video.duration, sound?.duration]) ?? longest([format?.duration]),
    framesPerSecond: ratioOf(video.avg_frame_rate, 30),
    videoStream: video.index,
    audioStream: sound?.index ?? null,
  }
}
