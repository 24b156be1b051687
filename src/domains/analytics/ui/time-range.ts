import type { z } from 'zod'
import type { activityRange } from '../schema.ts'

export type TimeRange = NonNullable<z.output<typeof activityRange>['days']>

/** In the words and the order of the specification. */
export const timeRanges: { days: TimeRange | undefined; label: string }[] = [
  { days: undefined, label: 'All Time' },
  { days: '7', label: 'Last 7 days' },
  { days: '30', label: 'Last 30 days' },
  { days: '90', label: 'Last 90 days' },
  { days: '365', label: 'Last year' },
]

/** What an address asks for; all time when nobody knows what that would be. */
export const rangeIn = (value: string | null): TimeRange | undefined =>
  timeRanges.find(({ days }) => days === value)?.days

/** 'in the last 30 days'; null for all time. */
export function inRange(days: TimeRange | undefined): string | null {
  if (days === undefined) return null
  return days === '365' ? 'in the last year' : `in the last ${days} days`
}

/** What the range is, to the day. */
export const rangeInDays = (days: TimeRange | undefined): string =>
  days === undefined
    ? 'From the beginning until now (UTC)'
    : `Today and the ${Number(days) - 1} days before it (UTC)`

type View = { days: TimeRange | undefined; courseId: string | null }

/** `/analytics?days=30&course=…` */
export function analyticsAddress({ days, courseId }: View): string {
  const query = new URLSearchParams()
  if (days !== undefined) query.set('days', days)
  if (courseId !== null) query.set('course', courseId)
  return `/analytics${query.size > 0 ? `?${query}` : ''}`
}

/** The same view as files of the API. */
export function exportAddresses({ days, courseId }: View) {
  const query = new URLSearchParams()
  if (courseId !== null) query.set('courseId', courseId)
  const students = query.size > 0 ? `?${query}` : ''
  if (days !== undefined) query.set('days', days)
  const analytics = query.size > 0 ? `?${query}` : ''
  return {
    analytics: `/rest/v1/analytics/export${analytics}`,
    students: `/rest/v1/students/export${students}`,
  }
}
