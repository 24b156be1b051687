import { relativeTime } from '../../../ui/relative-time.ts'

/** '3h ago', with the whole date for who points at it. */
export function CaseTime({ at, now }: { at: string; now: Date }) {
  const whole = new Date(at).toLocaleString('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return (
    <time dateTime={at} title={`${whole} UTC`} className="whitespace-nowrap">
      {relativeTime(new Date(at), now)}
    </time>
  )
}
