import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { cn } from '../../../ui/cn.ts'
import { clockTime } from './clock-time.ts'
import { piecesOf } from './transcript-search.ts'

export type TranscriptLine = { start: number; end: number; text: string }

/** Milliseconds after a move by hand in which the list stays where it is. */
const handsOff = 5000

type TranscriptLinesProps = {
  lines: TranscriptLine[]
  /** Which of them is being said; -1 when none is. */
  current: number
  wanted: string
  onSeek: (seconds: number) => void
}

export function TranscriptLines({ lines, current, wanted, onSeek }: TranscriptLinesProps) {
  const list = useRef<HTMLOListElement>(null)
  const movedAt = useRef(Number.NEGATIVE_INFINITY)
  /** One stop for the Tab key; arrows go from line to line. */
  const [stop, setStop] = useState<TranscriptLine | null>(null)
  const tabStop = lines.find((line) => line === stop) ?? lines[current] ?? lines[0]

  useEffect(() => {
    const box = list.current
    const line = box?.children[current]
    if (!box || !(line instanceof HTMLElement) || performance.now() - movedAt.current < handsOff)
      return
    // Only this box: `scrollIntoView` would move the page as well.
    const top = line.offsetTop - (box.clientHeight - line.offsetHeight) / 2
    box.scrollTo({ top, behavior: 'smooth' })
  }, [current])

  function move(event: KeyboardEvent<HTMLOListElement>) {
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const here = buttons.indexOf(event.target as HTMLButtonElement)
    const places: Record<string, number> = {
      ArrowDown: Math.min(here + 1, buttons.length - 1),
      ArrowUp: Math.max(here - 1, 0),
      Home: 0,
      End: buttons.length - 1,
    }
    const place = places[event.key]
    if (place === undefined) return
    event.preventDefault()
    byHand()
    buttons[place]?.focus()
  }

  const byHand = () => (movedAt.current = performance.now())

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows between its buttons
    <ol
      ref={list}
      onWheel={byHand}
      onTouchMove={byHand}
      onPointerDown={byHand}
      onKeyDown={move}
      className="relative overflow-y-auto overscroll-contain p-1.5 motion-safe:scroll-smooth"
    >
      {lines.map((line, index) => (
        <li
          key={`${line.start} ${line.end} ${line.text}`}
          aria-current={index === current || undefined}
          className="[contain-intrinsic-size:auto_2.5rem] [content-visibility:auto]"
        >
          <button
            type="button"
            tabIndex={line === tabStop ? 0 : -1}
            onFocus={() => setStop(line)}
            onBlur={() => setStop(null)}
            onClick={() => onSeek(line.start)}
            className={cn(
              'grid w-full grid-cols-[3.5rem_minmax(0,1fr)] items-baseline gap-2 rounded-lg px-2.5 py-2',
              'text-left text-sm hover:bg-wash focus-visible:-outline-offset-2',
              index === current && 'bg-primary-soft font-medium',
            )}
          >
            <span className="text-xs text-muted tabular-nums">{clockTime(line.start)}</span>
            <span dir="auto" className="text-start whitespace-pre-line">
              <Words text={line.text} wanted={wanted} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function Words({ text, wanted }: { text: string; wanted: string }) {
  return piecesOf(text, wanted).map((piece, index) =>
    index % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- a text in order, that never changes
      <mark key={index} className="rounded-sm bg-spark text-on-spark">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
