// The HTTP API: every call, with its access, input, output and errors.
import { accounts } from './domains/accounts/contract.ts'
import { analytics } from './domains/analytics/contract.ts'
import { applications } from './domains/applications/contract.ts'
import { billing } from './domains/billing/contract.ts'
import { community } from './domains/community/contract.ts'
import { courseTransfer } from './domains/course-transfer/contract.ts'
import { courses } from './domains/courses/contract.ts'
import { enrollment } from './domains/enrollment/contract.ts'
import { invitations } from './domains/invitations/contract.ts'
import { lessons } from './domains/lessons/contract.ts'
import { media } from './domains/media/contract.ts'
import { moderation } from './domains/moderation/contract.ts'
import { notifications, realtime } from './domains/notifications/contract.ts'
import { reviews } from './domains/reviews/contract.ts'

export const contract = {
  accounts,
  analytics,
  applications,
  billing,
  community,
  courses,
  courseTransfer,
  enrollment,
  invitations,
  lessons,
  media,
  moderation,
  notifications,
  realtime,
  reviews,
}
