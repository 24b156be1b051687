import { RotateCcw, ScrollText } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { clockTime } from './clock-time.ts'
import { PlayerFailure } from './player-failure.tsx'
import { frameOf } from './player-frame.ts'
import { isFullScreen, useFullScreen } from './player-full-screen.ts'
import { PlayerWatermark } from './player-watermark.tsx'
import { createPlayerSession, type PlayerEvents, type PlayerSession } from './player-session.ts'
import { type PlayableFile, sourceAtFirst, sourceTypes } from './player-source.ts'
import { Transcript } from './transcript.tsx'
import { useLater } from '../../../ui/use-later.ts'

/** For what stands around the player: notes with times, `?t=`, going on to the next lesson. */
export type PlayerHandle = {
  currentTime(): number
  seekTo(seconds: number): void
  play(): void
  pause(): void
  /** Plays what the server refused, now that it may; false when nothing was refused. */
  goOn(): boolean
  /** It plays, or is about to. */
  wantsToPlay(): boolean
  isFullScreen(): boolean
}

type VideoPlayerProps = PlayerEvents & {
  file: PlayableFile
  title: string
  /** Seconds to start at. */
  position?: number
  autoPlay?: boolean
  /** In place of the controls, over the picture: why it does not play. */
  cover?: ReactNode
  /** Lies faintly over the picture. */
  watermark?: string | null
  ref?: Ref<PlayerHandle>
}

/**
 * A video in a frame that never moves the page. It starts where it was left. Rendered with the browser's own
 * controls, which work before any script; ours take their place when they are there.
 */
export function VideoPlayer({ position = 0, ...rest }: VideoPlayerProps) {
  /** Each try is an element of its own, and begins where the last one was. */
  const [attempt, setAttempt] = useState({ number: 0, startAt: position, hasFailed: false })
  const { url, width, height, isProcessing = false } = rest.file
  const tryAgain = () => setAttempt({ ...attempt, number: attempt.number + 1, hasFailed: false })
  const [wasProcessing, setWasProcessing] = useState(isProcessing)
  if (wasProcessing !== isProcessing) {
    setWasProcessing(isProcessing)
    if (attempt.hasFailed) tryAgain()
  }
  if (attempt.hasFailed) {
    return (
      <PlayerFailure
        url={url}
        frame={frameOf(width, height)}
        isProcessing={isProcessing}
        // What is missing is news of it.
        onRetry={isProcessing && rest.onStale ? rest.onStale : tryAgain}
      />
    )
  }
  return (
    <Attempt
      {...rest}
      key={attempt.number}
      startAt={attempt.startAt}
      onFailed={(startAt) => setAttempt({ ...attempt, startAt, hasFailed: true })}
    />
  )
}

type AttemptProps = Omit<VideoPlayerProps, 'position'> & {
  startAt: number
  onFailed: (seconds: number) => void
}

/** Another file, or more of the same one; not just the same addresses anew. */
function isOtherThan(shown: PlayableFile, file: PlayableFile): boolean {
  const parts = ({ hlsUrl, posterUrl, previewUrl, captions }: PlayableFile) =>
    [hlsUrl, posterUrl, previewUrl].map((url) => url !== null).join() +
    captions.map(({ language }) => language).join()
  return parts(shown) !== parts(file)
}

const loadControls = () => import('./player-controls.tsx')

function Attempt({
  file,
  title,
  startAt,
  autoPlay,
  cover,
  watermark,
  ref,
  onFailed,
  ...events
}: AttemptProps) {
  const element = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLElement>(null)
  const listener = useRef(events)
  const playing = useRef<PlayerSession>(null)
  const [session, setSession] = useState<PlayerSession | null>(null)
  const [sourceState, setSourceState] = useState(sourceAtFirst)
  const [resumedAt, setResumedAt] = useState<number | null>(null)
  /** What plays: a page that comes with new addresses does not disturb it. What is fetched later takes the new ones. */
  const [shown, setShown] = useState(file)
  if (isOtherThan(shown, file)) setShown(file)
  const [isTranscriptOpen, setIsTranscriptOpen] = useState(false)
  const fillsScreen = useFullScreen()
  const controls = useLater(loadControls)

  useImperativeHandle(
    ref,
    () => ({
      currentTime: () => playing.current?.currentTime() ?? startAt,
      seekTo: (seconds) => playing.current?.seekTo(seconds),
      play: () => playing.current?.play(),
      pause: () => playing.current?.pause(),
      goOn: () => playing.current?.goOn() ?? false,
      wantsToPlay: () => playing.current?.wantsToPlay() ?? false,
      isFullScreen,
    }),
    [startAt],
  )

  useLayoutEffect(() => {
    listener.current = events
  })

  const connect = useEffectEvent((video: HTMLVideoElement) => {
    const made = createPlayerSession(video, {
      file,
      startAt,
      events: () => listener.current,
      onResumed: setResumedAt,
      onSourceChange: setSourceState,
      onFailed,
    })
    playing.current = made
    setSession(made)
    if (autoPlay) made.play()
    return made
  })
  // A layout effect: when it is cleaned up, the element that knows the position is still there.
  useLayoutEffect(() => {
    if (!element.current) return
    const made = connect(element.current)
    return () => {
      made.leave()
      made.destroy()
      playing.current = null
    }
  }, [])
  useEffect(() => session?.renew(file), [session, file])

  useEffect(() => {
    const leave = () => playing.current?.leave()
    const leaveWhenHidden = () => {
      if (document.hidden) leave()
    }
    document.addEventListener('visibilitychange', leaveWhenHidden)
    addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', leaveWhenHidden)
      removeEventListener('pagehide', leave)
    }
  }, [])

  // Whoever pressed in what lay over the picture goes on with the picture.
  const isCovered = Boolean(cover)
  const wasCovered = useRef(isCovered)
  useEffect(() => {
    const isFocusLost = document.activeElement === document.body
    if (wasCovered.current && !isCovered && isFocusLost)
      frame.current?.focus({ preventScroll: true })
    wasCovered.current = isCovered
  }, [isCovered])

  function startOver() {
    session?.seekTo(0)
    setResumedAt(null)
    frame.current?.focus({ preventScroll: true })
  }

  const hasCaptions = file.captions.length > 0
  return (
    <div className="grid gap-1">
      <div className={cn('max-h-[80dvh] w-full', frameOf(shown.width, shown.height))}>
        <section
          ref={frame}
          aria-label={title}
          tabIndex={-1}
          className={cn(
            'scheme-dark @container size-full overflow-clip bg-[black] text-ink outline-offset-2',
            fillsScreen ? 'fixed inset-0 z-5' : 'relative rounded-card',
          )}
        >
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- they are below, where the video has some */}
          <video
            ref={element}
            poster={shown.posterUrl ?? undefined}
            aria-label={title}
            controls={!controls.value && !cover}
            // A small window of the system's would show the picture alone.
            disablePictureInPicture={Boolean(watermark)}
            playsInline
            preload="metadata"
            className="absolute inset-0 size-full object-contain"
          >
            {sourceTypes(shown.contentType).map((type) => (
              <source key={type} src={shown.url} type={type} />
            ))}
            {file.captions.map(({ language, label, url }) => (
              <track key={language} kind="captions" srcLang={language} label={label} src={url} />
            ))}
          </video>
          {watermark && <PlayerWatermark text={watermark} />}
          {cover}
          {session && controls.value && !cover && (
            <controls.value.PlayerControls
              session={session}
              frame={frame}
              sourceState={sourceState}
              file={file}
            />
          )}
        </section>
      </div>
      {(startAt > 0 || hasCaptions) && (
        <div className="flex min-h-10 flex-wrap items-center gap-x-3 text-sm text-muted">
          <output className="tabular-nums">
            {resumedAt !== null && !cover && `Resumed at ${clockTime(resumedAt)}`}
          </output>
          {resumedAt !== null && !cover && (
            <Button variant="ghost" size="sm" onClick={startOver}>
              <RotateCcw size={15} aria-hidden />
              Start over
            </Button>
          )}
          {hasCaptions && (
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={isTranscriptOpen}
              onClick={() => setIsTranscriptOpen(!isTranscriptOpen)}
              className="ml-auto"
            >
              <ScrollText size={15} aria-hidden />
              Transcript
            </Button>
          )}
        </div>
      )}
      {isTranscriptOpen && session && (
        <Transcript session={session} captions={file.captions} onStale={events.onStale} />
      )}
    </div>
  )
}
