import { ExternalLink, RotateCcw, VideoOff } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { clockTime } from './clock-time.ts'

const frames = { '16:9': 'aspect-video', '4:3': 'aspect-4/3', '1:1': 'aspect-square' }

/** Seconds of playing between two saves. */
const saveEvery = 5
/** A video left this close to its end starts from the beginning. */
const nearEnd = 2

type VideoPlayerProps = {
  src: string
  title: string
  poster?: string
  aspect?: keyof typeof frames
  /** Seconds to start at. */
  position?: number
  /** Where the person is now, in seconds; 0 after the end. `leaving`: there may be no later call. */
  onPosition?: (seconds: number, leaving: boolean) => void
  /** The video came to its end. */
  onWatched?: () => void
}

/** The browser's own player in a frame that never moves the page. It starts where it was left. */
export function VideoPlayer({
  src,
  title,
  poster,
  aspect = '16:9',
  position = 0,
  onPosition,
  onWatched,
}: VideoPlayerProps) {
  const video = useRef<HTMLVideoElement>(null)
  /** False until the start position is set: before that, `currentTime` says nothing about the person. */
  const isPlaced = useRef(false)
  const lastReported = useRef(position)
  const [startAt] = useState(position)
  const [resumedAt, setResumedAt] = useState<number | null>(null)
  const [hasFailed, setHasFailed] = useState(false)

  function place() {
    const element = video.current
    if (!element || isPlaced.current) return
    if (startAt > 0 && startAt < element.duration - nearEnd) {
      element.currentTime = startAt
      setResumedAt(startAt)
    }
    isPlaced.current = true
  }

  function report(leaving = false) {
    const element = video.current
    if (!element || !isPlaced.current) return
    const seconds = element.ended ? 0 : element.currentTime
    lastReported.current = seconds
    onPosition?.(seconds, leaving)
  }

  function tick() {
    const element = video.current
    if (!element || element.paused || element.seeking) return
    if (Math.abs(element.currentTime - lastReported.current) >= saveEvery) report()
  }

  function startOver() {
    if (!video.current) return
    video.current.currentTime = 0
    setResumedAt(null)
    video.current.focus()
  }

  function retry() {
    isPlaced.current = false
    setHasFailed(false)
  }

  const catchUp = useEffectEvent(() => {
    // What happened before the page was hydrated.
    if (!video.current) return
    if (video.current.error) setHasFailed(true)
    else if (video.current.readyState >= HTMLMediaElement.HAVE_METADATA) place()
  })
  const leave = useEffectEvent(() => report(true))

  useEffect(() => {
    catchUp()
    const leaveWhenHidden = () => {
      if (document.hidden) leave()
    }
    const leavePage = () => leave()
    document.addEventListener('visibilitychange', leaveWhenHidden)
    addEventListener('pagehide', leavePage)
    return () => {
      document.removeEventListener('visibilitychange', leaveWhenHidden)
      removeEventListener('pagehide', leavePage)
    }
  }, [])

  // A layout effect: when it is cleaned up, the element that knows the position is still there.
  useLayoutEffect(() => () => leave(), [])

  if (hasFailed) return <Failure src={src} frame={frames[aspect]} onRetry={retry} />
  return (
    <div className="grid gap-1">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- there are no captions to upload yet */}
      <video
        ref={video}
        src={src}
        poster={poster}
        aria-label={title}
        controls
        playsInline
        preload="metadata"
        onLoadedMetadata={place}
        onTimeUpdate={tick}
        onPause={() => report()}
        onSeeked={() => report()}
        onEnded={() => {
          report()
          onWatched?.()
        }}
        onError={() => setHasFailed(true)}
        className={cn('w-full rounded-card bg-[black] object-contain', frames[aspect])}
      />
      {startAt > 0 && (
        <div className="flex min-h-10 flex-wrap items-center gap-x-3 text-sm text-muted">
          <output className="tabular-nums">
            {resumedAt !== null && `Resumed at ${clockTime(resumedAt)}`}
          </output>
          {resumedAt !== null && (
            <Button variant="ghost" size="sm" onClick={startOver}>
              <RotateCcw size={15} aria-hidden />
              Start over
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

type FailureProps = { src: string; frame: string; onRetry: () => void }

function Failure({ src, frame, onRetry }: FailureProps) {
  return (
    <div
      role="alert"
      className={cn(
        'grid w-full place-content-center justify-items-center gap-4 rounded-card border',
        'bg-surface p-4 text-center',
        frame,
      )}
    >
      <span className="grid size-14 place-items-center rounded-2xl bg-danger-soft text-danger max-sm:hidden">
        <VideoOff size={26} strokeWidth={1.75} aria-hidden />
      </span>
      <div className="grid max-w-md gap-1">
        <p className="font-display text-xl font-bold">Video format not supported</p>
        <p className="text-sm text-pretty text-muted sm:text-base">
          The video may be in a format not supported by your browser or may have been removed.
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <a
          href={src}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          <span className="inline-flex items-center gap-2">
            <ExternalLink size={16} aria-hidden />
            Open video in new tab
          </span>
        </a>
        <Button variant="ghost" size="sm" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  )
}
