// Pure: the months of statements, UTC. A month is '2026-11'.

/** What was booked at the last moment is there when a statement can be had. */
const minutesUntilOver = 10

/** The month that a moment is in. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

export function boundsOf(month: string): { start: Date; end: Date } {
  const [year, number] = month.split('-').map(Number)
  return { start: new Date(Date.UTC(year!, number! - 1)), end: new Date(Date.UTC(year!, number!)) }
}

/** Whether nothing can be booked in it any more. */
export const isOver = (month: string, now: Date): boolean =>
  now.getTime() >= boundsOf(month).end.getTime() + minutesUntilOver * 60_000

/** 'November 2026' */
export const monthLabel = (month: string): string =>
  boundsOf(month).start.toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
