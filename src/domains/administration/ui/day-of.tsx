/** A day in UTC, in words. */
export function DayOf({ at }: { at: string }) {
  const words = new Date(at).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  return <time dateTime={at}>{words}</time>
}
