// Every call of the contract with the function that answers it.
import { accounts } from './domains/accounts/handlers.ts'
import { administration } from './domains/administration/handlers.ts'
import { analytics } from './domains/analytics/handlers.ts'
import { applications } from './domains/applications/handlers.ts'
import { billing } from './domains/billing/handlers.ts'
import { branding } from './domains/branding/handlers.ts'
import { certificates } from './domains/certificates/handlers.ts'
import { challenges } from './domains/challenges/handlers.ts'
import { community } from './domains/community/handlers.ts'
import { courseTransfer } from './domains/course-transfer/handlers.ts'
import { courses } from './domains/courses/handlers.ts'
import { earnings } from './domains/earnings/handlers.ts'
import { enrollment } from './domains/enrollment/handlers.ts'
import { invitations } from './domains/invitations/handlers.ts'
import { lessons } from './domains/lessons/handlers.ts'
import { media } from './domains/media/handlers.ts'
import { moderation } from './domains/moderation/handlers.ts'
import { notifications, realtime } from './domains/notifications/handlers.ts'
import { payments } from './domains/payments/handlers.ts'
import { payouts } from './domains/payouts/handlers.ts'
import { purchases } from './domains/purchases/handlers.ts'
import { reviews } from './domains/reviews/handlers.ts'
import { site } from './domains/site/handlers.ts'
import { support } from './domains/support/handlers.ts'
import { tokens } from './domains/tokens/handlers.ts'
import { webhooks } from './domains/webhooks/handlers.ts'
import { api } from './server/api.ts'

export const handlers = api.router({
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
})
