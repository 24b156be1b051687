import type { CoursePage } from '../../courses/schema.ts'

/** How a signed-in person comes into a course: at once, or by an application first. */
export function wayIn({
  applicationRequired,
  application,
}: Pick<CoursePage, 'applicationRequired' | 'application'>):
  | 'join'
  | 'apply'
  | 'applyAgain'
  | 'pending' {
  if (!applicationRequired) return 'join'
  switch (application?.status) {
    case 'approved':
      return 'join'
    case 'pending':
      return 'pending'
    case 'rejected':
      return 'applyAgain'
    default:
      return 'apply'
  }
}
