import { useState, type PointerEvent } from 'react'
import { cn } from '../../../ui/cn.ts'
import { parseCaptions } from '../../media/caption-format.ts'
import { clockTime } from './clock-time.ts'
import type { Playback } from './player-playback.ts'
import { type Preview, previewAt, previewsIn } from './player-previews.ts'

type PlayerSeekBarProps = {
  playback: Playback
  /** WebVTT of small pictures. */
  previewUrl: string | null
  onSeek: (seconds: number) => void
}

async function fetchPreviews(url: string): Promise<Preview[]> {
  const answer = await fetch(url)
  const read = answer.ok ? parseCaptions(await answer.text()) : null
  return read && 'cues' in read ? previewsIn(read.cues, new URL(url, location.href).href) : []
}

/** Where it is, what is loaded, and what is to be seen elsewhere. */
export function PlayerSeekBar({ playback, previewUrl, onSeek }: PlayerSeekBarProps) {
  const { time, duration, buffered } = playback
  /** Of an address that is over they stay until those of the next one are here. */
  const [loaded, setLoaded] = useState<{ from: string | null; previews: Preview[] }>({
    from: null,
    previews: [],
  })
  /** The part of the bar under the pointer, 0 to 1. */
  const [pointedAt, setPointedAt] = useState<number | null>(null)
  const percent = (seconds: number) => `${duration > 0 ? (seconds / duration) * 100 : 0}%`

  function loadPreviews() {
    if (previewUrl === null || previewUrl === loaded.from) return
    setLoaded({ ...loaded, from: previewUrl })
    // Without them there is still the time.
    fetchPreviews(previewUrl).then(
      (previews) => setLoaded({ from: previewUrl, previews }),
      () => {},
    )
  }

  function point(event: PointerEvent<HTMLElement>) {
    loadPreviews()
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setPointedAt(Math.min(1, Math.max(0, (event.clientX - left) / width)))
  }

  return (
    <div
      className="group/seek relative grid h-5 items-center"
      onPointerMove={point}
      onPointerLeave={() => setPointedAt(null)}
    >
      {pointedAt !== null && duration > 0 && (
        <Pointed
          seconds={pointedAt * duration}
          part={pointedAt}
          preview={previewAt(loaded.previews, pointedAt * duration)}
        />
      )}
      <input
        type="range"
        data-seek
        aria-label="Seek"
        aria-valuetext={`${clockTime(time)} of ${clockTime(duration)}`}
        min={0}
        max={duration || 1}
        step="any"
        value={Math.min(time, duration || 1)}
        disabled={duration === 0}
        onChange={(event) => onSeek(Number(event.target.value))}
        className="peer absolute inset-0 z-1 m-0 size-full cursor-pointer opacity-0"
      />
      <div
        aria-hidden
        className={cn(
          'relative h-1 overflow-clip rounded-full bg-ink/30 transition-[height] group-hover/seek:h-1.5',
          'forced-colors:bg-[GrayText]',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-primary',
        )}
      >
        {buffered.map(([from, to]) => (
          <span
            key={from}
            className="absolute inset-y-0 bg-ink/40"
            style={{ left: percent(from), width: percent(to - from) }}
          />
        ))}
        <span
          className="absolute inset-y-0 left-0 bg-spark forced-colors:bg-[Highlight]"
          style={{ width: percent(time) }}
        />
      </div>
      <span
        aria-hidden
        className="pointer-events-none absolute size-3 -translate-x-1/2 rounded-full bg-spark group-hover/seek:size-3.5 forced-colors:bg-[Highlight]"
        style={{ left: percent(time) }}
      />
    </div>
  )
}

type PointedProps = { seconds: number; part: number; preview: Preview | null }

function Pointed({ seconds, part, preview }: PointedProps) {
  const half = (preview?.width ?? 56) / 2
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute bottom-full grid -translate-x-1/2 justify-items-center gap-1 pb-1"
      style={{ left: `clamp(${half}px, ${part * 100}%, calc(100% - ${half}px))` }}
    >
      {preview && (
        <div
          data-preview
          className="rounded-lg border border-edge bg-[black]"
          style={{
            width: preview.width,
            height: preview.height,
            backgroundImage: `url("${preview.url}")`,
            backgroundPosition: `-${preview.x}px -${preview.y}px`,
          }}
        />
      )}
      <span className="rounded-md bg-raised px-1.5 text-xs font-semibold tabular-nums">
        {clockTime(seconds)}
      </span>
    </div>
  )
}
