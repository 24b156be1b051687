import { useReadersZone } from './use-readers-zone.ts'

type LocalTimeProps = { at: string; withZone?: boolean; withSeconds?: boolean }

/** 'Nov 22, 2026, 5:00 PM' by the reader's clock; the server, which does not know it, says UTC. */
export function LocalTime({ at, withZone = false, withSeconds = false }: LocalTimeProps) {
  const zone = useReadersZone()
  const format = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(withSeconds && { second: '2-digit' }),
    ...((withZone || zone.timeZone) && { timeZoneName: 'short' }),
    ...zone,
  })
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
