const hour = 60 * 60 * 1000

/** 'Used 3 hours ago', both in ISO 8601. A session knows its last use to the hour only. */
export function lastUse(lastUsedAt: string, now: string): string {
  const hours = Math.floor((Date.parse(now) - Date.parse(lastUsedAt)) / hour)
  if (hours < 1) return 'Used within the last hour'
  if (hours < 24) return hours === 1 ? 'Used an hour ago' : `Used ${hours} hours ago`
  const days = Math.floor(hours / 24)
  return days === 1 ? 'Used yesterday' : `Used ${days} days ago`
}
