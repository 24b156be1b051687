// The HTTP API: every call, with its access, input, output and errors.
import { accounts } from './domains/accounts/contract.ts'
import { administration } from './domains/administration/contract.ts'
import { analytics } from './domains/analytics/contract.ts'
import { applications } from './domains/applications/contract.ts'
import { billing } from './domains/billing/contract.ts'
import { branding } from './domains/branding/contract.ts'
import { certificates } from './domains/certificates/contract.ts'
import { challenges } from './domains/challenges/contract.ts'
import { community } from './domains/community/contract.ts'
import { courseTransfer } from './domains/course-transfer/contract.ts'
import { courses } from './domains/courses/contract.ts'
import { earnings } from './domains/earnings/contract.ts'
import { enrollment } from './domains/enrollment/contract.ts'
import { invitations } from './domains/invitations/contract.ts'
import { lessons } from './domains/lessons/contract.ts'
import { media } from './domains/media/contract.ts'
import { moderation } from './domains/moderation/contract.ts'
import { notifications, realtime } from './domains/notifications/contract.ts'
import { payments } from './domains/payments/contract.ts'
import { payouts } from './domains/payouts/contract.ts'
import { purchases } from './domains/purchases/contract.ts'
import { reviews } from './domains/reviews/contract.ts'
import { site } from './domains/site/contract.ts'
import { support } from './domains/support/contract.ts'
import { tokens } from './domains/tokens/contract.ts'
import { webhooks } from './domains/webhooks/contract.ts'

export const contract = {
  accounts,
  administration,
  analytics,
  applications,
  billing,
  branding,
  certificates,
  challenges,
  community,
  courses,
  courseTransfer,
  earnings,
  enrollment,
  invitations,
  lessons,
  media,
  moderation,
  notifications,
  payments,
  payouts,
  purchases,
  realtime,
  reviews,
  site,
  support,
  tokens,
  webhooks,
}
