import { Play } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { VideoLink } from '../../media/video-link.ts'

type PlayerEmbedProps = { link: Extract<VideoLink, { kind: 'embed' }>; title: string }

const frame = 'aspect-video w-full rounded-card'

/** A provider's player. Nothing is asked of the provider before the person presses. */
export function PlayerEmbed({ link, title }: PlayerEmbedProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isHydrated = useHydrated()

  if (isOpen) {
    return (
      <iframe
        ref={takeFocus}
        src={autoPlaying(link.embedUrl)}
        title={`${title} (${link.provider})`}
        allow="autoplay; fullscreen; picture-in-picture; encrypted-media"
        allowFullScreen
        // oxlint-disable-next-line react/iframe-missing-sandbox -- of another origin, it cannot reach its own sandbox
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="strict-origin-when-cross-origin"
        className={cn(frame, 'border-0 bg-[black]')}
      />
    )
  }

  const words = (
    <>
      <span
        aria-hidden
        className="grid size-16 place-items-center rounded-full bg-spark text-on-spark transition-transform group-hover:scale-105"
      >
        <Play size={28} fill="currentColor" className="translate-x-0.5" />
      </span>
      <span className="font-display text-xl font-bold">Play video from {link.provider}</span>
      <span className="max-w-sm text-sm text-pretty text-muted">
        {link.provider} will see that you visit, and its own privacy policy applies.
      </span>
    </>
  )
  const look = cn(
    frame,
    'scheme-dark group grid cursor-pointer place-content-center justify-items-center gap-3 border',
    'bg-linear-to-br from-track to-paper p-4 text-center text-ink no-underline',
  )
  // Before it works as a button it is a link to the provider's page, which needs no script.
  if (!isHydrated) {
    return (
      <a href={link.pageUrl} target="_blank" rel="noopener noreferrer" className={look}>
        {words}
      </a>
    )
  }
  return (
    <button type="button" onClick={() => setIsOpen(true)} className={look}>
      {words}
    </button>
  )
}

/** The press that opened it was on an element that is gone. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

/** The press was for playing, not for another button. */
function autoPlaying(embedUrl: string): string {
  const url = new URL(embedUrl)
  url.searchParams.set('autoplay', '1')
  return url.href
}
