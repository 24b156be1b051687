import { languageLabel } from '../media/caption-languages.ts'
import { videoAddress } from '../media/video-address.ts'
import type { LessonVideo } from './schema.ts'

/** What a lesson's video is made of: `videoColumns` of a statement that has `videoJoins`. */
export interface VideoRow {
  videoId: string | null
  contentType: string | null
  videoUrl: string | null
  durationSeconds: number | null
  width: number | null
  height: number | null
  hasPoster: boolean
  hasPreview: boolean
  hasHls: boolean
  isProcessing: boolean
  captions: string[]
}

/** Of lesson `l`, its media file `m` and what was made of that, `v`. */
export const videoColumns = `
  m.id as "videoId", m.content_type as "contentType", l.video_url as "videoUrl",
  m.duration_seconds as "durationSeconds", m.width, m.height,
  coalesce(v.has_poster, false) as "hasPoster", coalesce(v.has_preview, false) as "hasPreview",
  coalesce(v.status = 'done' and jsonb_array_length(v.heights) > 0, false) as "hasHls",
  coalesce(v.status in ('queued', 'running'), false) as "isProcessing",
  array(select k.language from video_captions k where k.media_id = m.id order by k.language)
    as "captions"`

export const videoJoins = `
  left join media_files m on m.id = l.video_id and m.status = 'ready'
  left join video_processings v on v.media_id = m.id`

/** The video with its addresses, which are good for this person only; null is a signed-out visitor. */
export function videoOf(
  row: VideoRow,
  viewer: { viewerId: string | null; secret: string },
): LessonVideo | null {
  const { videoId: mediaId, durationSeconds, width, height } = row
  if (mediaId === null) return row.videoUrl === null ? null : { kind: 'link', url: row.videoUrl }
  const base = videoAddress({ mediaId, ...viewer })
  return {
    kind: 'file',
    mediaId,
    url: `${base}/original`,
    contentType: row.contentType ?? 'video/mp4',
    durationSeconds,
    width,
    height,
    hlsUrl: row.hasHls ? `${base}/hls/main.m3u8` : null,
    posterUrl: row.hasPoster ? `${base}/poster.jpg` : null,
    previewUrl: row.hasPreview ? `${base}/preview.vtt` : null,
    captions: row.captions.map((language) => ({
      language,
      label: languageLabel(language),
      url: `${base}/captions/${language}.vtt`,
    })),
    isProcessing: row.isProcessing,
  }
}
