// What each domain has of a person, in the order in which a deletion goes through them: what takes part in
// others' courses first, the account itself last.
import { accountsData } from './domains/accounts/personal-data.ts'
import { administrationData } from './domains/administration/personal-data.ts'
import { analyticsData } from './domains/analytics/personal-data.ts'
import { applicationsData } from './domains/applications/personal-data.ts'
import { billingData } from './domains/billing/personal-data.ts'
import { brandingData } from './domains/branding/personal-data.ts'
import { certificatesData } from './domains/certificates/personal-data.ts'
import { challengesData } from './domains/challenges/personal-data.ts'
import { communityData } from './domains/community/personal-data.ts'
import { courseTransferData } from './domains/course-transfer/personal-data.ts'
import { coursesData } from './domains/courses/personal-data.ts'
import { earningsData } from './domains/earnings/personal-data.ts'
import { enrollmentData } from './domains/enrollment/personal-data.ts'
import { invitationsData } from './domains/invitations/personal-data.ts'
import { ledgerData } from './domains/ledger/personal-data.ts'
import { lessonsData } from './domains/lessons/personal-data.ts'
import { mediaData } from './domains/media/personal-data.ts'
import { moderationData } from './domains/moderation/personal-data.ts'
import { notificationsData } from './domains/notifications/personal-data.ts'
import { paymentsData } from './domains/payments/personal-data.ts'
import { payoutsData } from './domains/payouts/personal-data.ts'
import { purchasesData } from './domains/purchases/personal-data.ts'
import { reviewsData } from './domains/reviews/personal-data.ts'
import { searchData } from './domains/search/personal-data.ts'
import { siteData } from './domains/site/personal-data.ts'
import { supportData } from './domains/support/personal-data.ts'
import { tokensData } from './domains/tokens/personal-data.ts'
import { webhooksData } from './domains/webhooks/personal-data.ts'
import type { PersonalData } from './server/personal-data.ts'

export const personalData: PersonalData[] = [
  enrollmentData,
  reviewsData,
  lessonsData,
  notificationsData,
  analyticsData,
  applicationsData,
  invitationsData,
  // Cases are locked after what they are about.
  communityData,
  moderationData,
  courseTransferData,
  // What the person sells and bought, while the courses are there.
  purchasesData,
  paymentsData,
  certificatesData,
  challengesData,
  brandingData,
  // Suspensions go while the courses are still the person's.
  administrationData,
  coursesData,
  mediaData,
  searchData,
  siteData,
  supportData,
  webhooksData,
  billingData,
  earningsData,
  payoutsData,
  ledgerData,
  tokensData,
  accountsData,
]
