import { useHydrated } from '../../../ui/use-hydrated.ts'

/** 'Nov 22, 2026, 5:00:12 PM' by the reader's clock; the server, which does not know it, says UTC. */
export function Moment({ at }: { at: string }) {
  const isHydrated = useHydrated()
  const words = new Date(at).toLocaleString('en-US', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(!isHydrated && { timeZone: 'UTC' }),
  })
  return <time dateTime={at}>{isHydrated ? words : `${words} UTC`}</time>
}
