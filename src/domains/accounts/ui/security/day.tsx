import { useHydrated } from '../../../../ui/use-hydrated.ts'

/** 'November 21, 2026': the person's own day, once the browser can tell. */
export function Day({ moment }: { moment: string }) {
  const isHydrated = useHydrated()
  const day = new Date(moment).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone: isHydrated ? undefined : 'UTC',
  })
  return <time dateTime={moment}>{day}</time>
}
