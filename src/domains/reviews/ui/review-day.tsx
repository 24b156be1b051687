const longDay = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})

/** 'November 21, 2026', in UTC, so that kept pages say the same to everybody. */
export function ReviewDay({ moment, edited = false }: { moment: string; edited?: boolean }) {
  const day = longDay.format(new Date(moment))
  return (
    <span className="text-sm text-muted">
      <time dateTime={moment}>{day}</time>
      {edited && ' (edited)'}
    </span>
  )
}
