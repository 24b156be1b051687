import { ExternalLink } from 'lucide-react'
import { buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { videoLink } from '../../media/video-link.ts'
import type { LessonVideo } from '../schema.ts'

type FileVideo = Extract<LessonVideo, { kind: 'file' }>

const frame = 'aspect-video w-full rounded-card bg-[black] object-contain'

/** A video for visitors: the browser's own player, so that the page needs no script. */
export function PreviewVideo({ video, title }: { video: LessonVideo; title: string }) {
  if (video.kind === 'file') return <StoredVideo video={video} title={title} />
  const link = videoLink(video.url)
  if (link === null) return null
  if (link.kind === 'embed') return <ProviderVideo url={link.pageUrl} provider={link.provider} />
  return (
    // Nothing is asked of the other server before somebody presses play.
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- there are no captions of a file elsewhere
    <video
      src={link.url}
      aria-label={`Video: ${title}`}
      controls
      playsInline
      preload="none"
      className={frame}
    />
  )
}

function StoredVideo({ video, title }: { video: FileVideo; title: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- they are below, where the video has some
    <video
      aria-label={`Video: ${title}`}
      controls
      playsInline
      preload="metadata"
      poster={video.posterUrl ?? undefined}
      className={frame}
    >
      {/* Without a type: what browsers say they cannot play, they often can. */}
      <source src={video.url} />
      {video.hlsUrl && <source src={video.hlsUrl} type="application/vnd.apple.mpegurl" />}
      {video.captions.map(({ language, label, url }) => (
        <track key={language} kind="captions" srcLang={language} label={label} src={url} />
      ))}
    </video>
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
