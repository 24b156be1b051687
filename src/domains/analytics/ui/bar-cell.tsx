import { shareOf } from './chart-words.ts'

/** A bar in a table; the number that it shows stands beside it. */
export function BarCell({ part, whole }: { part: number; whole: number }) {
  return (
    <div aria-hidden className="mt-1.5 h-3 overflow-hidden rounded-full bg-wash">
      <div
        className="h-full bg-primary forced-colors:bg-[Highlight]"
        style={{ width: `${shareOf(part, whole)}%` }}
      />
    </div>
  )
}
