import type { ReactNode, Ref } from 'react'
import { videoLink } from '../../media/video-link.ts'
import type { LessonVideo } from '../schema.ts'
import { PlayerEmbed } from './player-embed.tsx'
import { PlayerFailure } from './player-failure.tsx'
import { frameOf } from './player-frame.ts'
import type { PlayerEvents } from './player-session.ts'
import { type PlayerHandle, VideoPlayer } from './video-player.tsx'

export type { PlayerHandle }

type LessonPlayerProps = PlayerEvents & {
  video: LessonVideo
  /** The name of the video. */
  title: string
  /** Seconds to start at. */
  position?: number
  /** Starts by itself, as after a lesson that led here. Browsers may refuse. */
  autoPlay?: boolean
  /** In place of the controls, over the picture: why it does not play. */
  cover?: ReactNode
  /** Lies faintly over the picture; not over the frame of a provider. */
  watermark?: string | null
  ref?: Ref<PlayerHandle>
}

/** A lesson's video: a file of ours, a file elsewhere, or the frame of a provider. */
export function LessonPlayer({ video, ref, ...rest }: LessonPlayerProps) {
  if (video.kind === 'file')
    return <VideoPlayer {...rest} key={video.mediaId} file={video} ref={ref} />
  const link = videoLink(video.url)
  if (link?.kind === 'embed') return <PlayerEmbed link={link} title={rest.title} />
  if (!link) return <PlayerFailure url={null} frame={frameOf(null, null)} />
  return <VideoPlayer {...rest} key={link.url} file={{ ...elsewhere, url: link.url }} ref={ref} />
}

/** Of a file on another server nothing is known before it is loaded. */
const elsewhere = {
  contentType: null,
  width: null,
  height: null,
  hlsUrl: null,
  posterUrl: null,
  previewUrl: null,
  captions: [],
}
