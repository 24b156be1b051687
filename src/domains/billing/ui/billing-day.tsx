import { useReadersZone } from '../../../ui/use-readers-zone.ts'

/** A day by the reader's clock (the server says it by UTC); 'N/A' without one. */
export function BillingDay({ at }: { at: string | number | null }) {
  const zone = useReadersZone()
  if (at === null) return 'N/A'
  // Payment providers count seconds.
  const day = new Date(typeof at === 'number' ? at * 1000 : at)
  return (
    <time dateTime={day.toISOString()} className="whitespace-nowrap">
      {day.toLocaleDateString('en-US', {
        month: 'short',
        day: 'numeric',
        year: 'numeric',
        ...zone,
      })}
    </time>
  )
}
