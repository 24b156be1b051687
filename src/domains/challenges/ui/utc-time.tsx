/** 'December 1, 2026 at 10:00 AM UTC', so that kept pages say the same to everybody. */
export function UtcTime({ at }: { at: string }) {
  const words = new Date(at).toLocaleString('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return <time dateTime={at}>{words} UTC</time>
}
