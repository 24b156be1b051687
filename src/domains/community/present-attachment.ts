import { postImageUrl, postImageVersions } from '../media/rules.ts'
import { videoAddress } from '../media/video-address.ts'
import type { Attachment } from './schema.ts'

/** An attachment as the statement reads it. */
export interface AttachmentRow {
  kind: 'image' | 'video' | 'link'
  mediaId: string | null
  url: string | null
  filename: string | null
  width: number | null
  height: number | null
  hasPoster: boolean
  hasHls: boolean
  isProcessing: boolean
}

/** The attachments of post `p` in their order, as JSON; each is an `AttachmentRow`. */
export const attachmentRows = `
  coalesce((
    select json_agg(json_build_object(
             'kind', a.kind, 'mediaId', a.media_id, 'url', a.url, 'filename', m.filename,
             'width', m.width, 'height', m.height, 'hasPoster', coalesce(v.has_poster, false),
             'hasHls', coalesce(v.status = 'done' and jsonb_array_length(v.heights) > 0, false),
             'isProcessing', coalesce(v.status in ('queued', 'running'), false))
             order by a.order_index)
      from post_attachments a
      left join media_files m on m.id = a.media_id
      left join video_processings v on v.media_id = m.id
     where a.post_id = p.id), '[]')`

/** What a viewer sees of it; the addresses of a video are good for this person only. */
export function presentAttachment(
  row: AttachmentRow,
  viewer: { viewerId: string; secret: string },
): Attachment {
  const { kind, mediaId, width, height } = row
  if (kind === 'link' || mediaId === null) return { kind: 'link', url: row.url ?? '' }
  if (kind === 'image') {
    const size = { width: width ?? 1, height: height ?? 1 }
    const versions = postImageVersions(size).map((one) => ({
      url: postImageUrl(mediaId, one.name),
      width: one.width,
    }))
    return { kind, mediaId, ...size, versions }
  }
  const base = videoAddress({ mediaId, ...viewer, of: 'post' })
  return {
    kind,
    mediaId,
    filename: row.filename ?? '',
    url: `${base}/original`,
    streamUrl: row.hasHls ? `${base}/hls/main.m3u8` : null,
    posterUrl: row.hasPoster ? `${base}/poster.jpg` : null,
    width,
    height,
    isProcessing: row.isProcessing,
  }
}
