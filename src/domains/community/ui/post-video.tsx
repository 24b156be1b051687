import { Play } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { frameOf } from '../../lessons/ui/player-frame.ts'
import { useLater } from '../../../ui/use-later.ts'
import type { Attachment } from '../schema.ts'

type Video = Extract<Attachment, { kind: 'video' }>
type PostVideoProps = { video: Video; author: string }

const loadPlayer = () => import('../../lessons/ui/video-player.tsx')

/** An uploaded video. Its bytes, and the player, are fetched when somebody presses. */
export function PostVideo({ video, author }: PostVideoProps) {
  const [isOpen, setOpen] = useState(false)
  const isHydrated = useHydrated()
  const frame = frameOf(video.width, video.height)
  const title = `Video by ${author}`
  if (isOpen) return <Playing video={video} title={title} frame={frame} />
  return (
    <button
      type="button"
      disabled={!isHydrated}
      onClick={() => setOpen(true)}
      className={cn(
        'scheme-dark group relative grid w-full cursor-pointer place-content-center overflow-hidden rounded-card border',
        'justify-items-center gap-3 bg-linear-to-br from-track to-paper p-4 text-center text-ink',
        frame,
      )}
    >
      {video.posterUrl && (
        <img
          src={video.posterUrl}
          alt=""
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-contain"
        />
      )}
      <span
        aria-hidden
        className="relative grid size-16 place-items-center rounded-full bg-spark text-on-spark transition-transform group-hover:scale-105"
      >
        <Play size={28} fill="currentColor" className="translate-x-0.5" />
      </span>
      <span className={video.posterUrl ? 'sr-only' : 'relative max-w-full wrap-anywhere'}>
        Play the video by {author}
        <span className="block text-sm text-muted">{video.filename}</span>
      </span>
      {video.isProcessing && <Badge className="relative">Still being processed</Badge>}
    </button>
  )
}

function Playing({ video, title, frame }: { video: Video; title: string; frame: string }) {
  const player = useLater(loadPlayer)
  if (player.value) {
    const { VideoPlayer } = player.value
    return <VideoPlayer file={playable(video)} title={title} autoPlay />
  }
  return (
    <div
      className={cn(
        'scheme-dark grid w-full place-content-center justify-items-center gap-3 rounded-card bg-track p-4 text-ink',
        frame,
      )}
    >
      {player.failed ? (
        <>
          <p role="alert">
            The player could not be loaded. Please try again, or load the page again.
          </p>
          <Button size="sm" variant="secondary" onClick={player.retry}>
            Try again
          </Button>
        </>
      ) : (
        <Spinner />
      )}
    </div>
  )
}

const playable = ({ url, streamUrl, posterUrl, width, height, isProcessing }: Video) => ({
  url,
  contentType: null,
  width,
  height,
  hlsUrl: streamUrl,
  posterUrl,
  previewUrl: null,
  captions: [],
  isProcessing,
})
