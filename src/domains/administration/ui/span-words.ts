import { countLabel } from '../../courses/ui/count-label.ts'

/** '4 minutes', '3 hours', '2 days'; under a minute 'a moment'. */
export function spanWords(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 1) return 'a moment'
  if (minutes < 60) return countLabel(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? countLabel(hours, 'hour') : countLabel(Math.floor(hours / 24), 'day')
}
