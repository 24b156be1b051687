import type { CourseDashboard } from '../../courses/schema.ts'

/** For the instructor of a course that nobody can join now, and what to do about it; null where people can. */
export function whyNobodyJoins({
  status,
  suspension,
}: Pick<CourseDashboard, 'status' | 'suspension'>): string | null {
  if (suspension) return 'Nobody new can join while the course is suspended.'
  return status === 'draft'
    ? 'Nobody can join a draft. Publish the course, then invite people.'
    : null
}
