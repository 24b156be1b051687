import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { cn } from '../../../ui/cn.ts'
import { videoLink } from '../../media/video-link.ts'
import type { LessonVideo } from '../schema.ts'
import { frameOf } from './player-frame.ts'

type FileVideo = Extract<LessonVideo, { kind: 'file' }>

const look = 'w-full rounded-card bg-[black] object-contain'

/** A video for visitors: the browser's own player, so that the page needs no script. */
export function PreviewVideo({ video, title }: { video: LessonVideo; title: string }) {
  if (video.kind === 'file') return <StoredVideo video={video} title={title} />
  const link = videoLink(video.url)
  if (link === null) return null
  if (link.kind === 'embed') return <ProviderVideo url={link.pageUrl} provider={link.provider} />
  return (
    <Playable url={link.url}>
      {/* Nothing is asked of the other server before somebody presses play. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- there are no captions of a file elsewhere */}
      <video
        src={link.url}
        aria-label={`Video: ${title}`}
        controls
        playsInline
        preload="none"
        className={cn(look, 'aspect-video')}
      />
    </Playable>
  )
}

function StoredVideo({ video, title }: { video: FileVideo; title: string }) {
  return (
    <Playable url={video.url} isProcessing={video.isProcessing}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- they are below, where the video has some */}
      <video
        aria-label={`Video: ${title}`}
        controls
        playsInline
        preload="metadata"
        poster={video.posterUrl ?? undefined}
        className={cn(look, frameOf(video.width, video.height))}
      >
        {/* Without a type: what browsers say they cannot play, they often can. */}
        <source src={video.url} />
        {video.hlsUrl && <source src={video.hlsUrl} type="application/vnd.apple.mpegurl" />}
        {video.captions.map(({ language, label, url }) => (
          <track key={language} kind="captions" srcLang={language} label={label} src={url} />
        ))}
      </video>
    </Playable>
  )
}

type PlayableProps = { url: string; isProcessing?: boolean; children: ReactNode }

/** A video with the way out for browsers that do not play it, which need no script to find it. */
function Playable({ url, isProcessing = false, children }: PlayableProps) {
  return (
    <div className="grid grid-cols-1 gap-2">
      {children}
      <p className="text-sm text-pretty text-muted">
        {isProcessing && 'This video is still being processed: not every browser plays it yet. '}
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="font-medium text-ink underline"
        >
          Open video in new tab
        </a>
      </p>
    </div>
  )
}

/** A link and no frame: the provider learns of a visit when somebody goes there. */
function ProviderVideo({ url, provider }: { url: string; provider: string }) {
  return (
    <Card className="grid aspect-video place-content-center justify-items-center gap-4 text-center">
      <p className="max-w-md text-pretty text-muted">
        The video of this lesson is on {provider}, which learns of your visit when you go there.
      </p>
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className={buttonClass({ variant: 'secondary' })}
      >
        <span className="inline-flex items-center gap-2">
          <ExternalLink size={18} aria-hidden />
          Watch on {provider}
          <span className="sr-only"> (opens in a new tab)</span>
        </span>
      </a>
    </Card>
  )
}
