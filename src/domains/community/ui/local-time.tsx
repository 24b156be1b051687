import { useHydrated } from '../../../ui/use-hydrated.ts'

/** 'Nov 22, 2026, 5:00 PM' by the reader's clock; the server, which does not know it, says UTC. */
export function LocalTime({ at, withZone = false }: { at: string; withZone?: boolean }) {
  const isHydrated = useHydrated()
  const format = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...((withZone || !isHydrated) && { timeZoneName: 'short' }),
    ...(!isHydrated && { timeZone: 'UTC' }),
  })
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
