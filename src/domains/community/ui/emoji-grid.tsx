import type { KeyboardEvent } from 'react'
import { type Emoji, emojis } from './emojis.ts'
import { recentEmojis } from './recent-emojis.ts'

const columns = 8

/** The emojis, those used last first; one stop of the Tab key, arrows inside. */
export function EmojiGrid({ onPick }: { onPick: (emoji: string) => void }) {
  const recent = recentEmojis()
  const rows = rowsOf(recent.length)
  return (
    <div className="grid gap-1">
      <Heading>Recently used</Heading>
      <Buttons label="Recently used" emojis={recent} onPick={onPick} rows={rows} isFirst />
      <Heading>Emojis</Heading>
      <Buttons label="Emojis" emojis={emojis} onPick={onPick} rows={rows} />
    </div>
  )
}

const Heading = ({ children }: { children: string }) => (
  <p aria-hidden className="px-1 pt-1 text-xs font-semibold text-muted">
    {children}
  </p>
)

type ButtonsProps = {
  label: string
  emojis: Emoji[]
  onPick: (emoji: string) => void
  /** The places of all buttons, row by row. */
  rows: number[][]
  isFirst?: boolean
}

function Buttons({ label, emojis: shown, onPick, rows, isFirst = false }: ButtonsProps) {
  return (
    <ul aria-label={label} className="grid grid-cols-8">
      {shown.map(({ emoji, name }, index) => (
        <li key={emoji} className="grid">
          <button
            // The first emoji takes the focus when the panel opens.
            ref={isFirst && index === 0 ? focusOn : undefined}
            type="button"
            aria-label={name}
            title={name}
            tabIndex={isFirst && index === 0 ? 0 : -1}
            onClick={() => onPick(emoji)}
            onKeyDown={(event) => move(event, rows)}
            className="grid aspect-square min-h-9 place-items-center rounded-lg text-xl leading-none hover:bg-wash focus-visible:bg-wash focus-visible:-outline-offset-2"
          >
            <span aria-hidden>{emoji}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const focusOn = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true })

function rowsOf(recentCount: number): number[][] {
  const places = emojis.map((_, index) => recentCount + index)
  const rows = [Array.from({ length: recentCount }, (_, index) => index)]
  for (let at = 0; at < places.length; at += columns) rows.push(places.slice(at, at + columns))
  return rows
}

function move(event: KeyboardEvent<HTMLElement>, rows: number[][]) {
  const panel = event.currentTarget.closest('[popover]')
  const buttons = [...(panel?.querySelectorAll<HTMLElement>('li > button') ?? [])]
  const here = buttons.indexOf(event.currentTarget)
  const row = rows.findIndex((places) => places.includes(here))
  const column = rows[row]?.indexOf(here) ?? 0
  const inRow = (next: number) => {
    const places = rows.at(next % rows.length) ?? []
    return places[Math.min(column, places.length - 1)]
  }
  const moves: Record<string, number | undefined> = {
    ArrowRight: (here + 1) % buttons.length,
    ArrowLeft: (here + buttons.length - 1) % buttons.length,
    ArrowDown: inRow(row + 1),
    ArrowUp: inRow(row - 1),
    Home: 0,
    End: buttons.length - 1,
  }
  const next = moves[event.key]
  if (next === undefined) return
  event.preventDefault()
  for (const [index, button] of buttons.entries()) button.tabIndex = index === next ? 0 : -1
  buttons[next]?.focus()
}
