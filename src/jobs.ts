// Every kind of job with the function that does it.
import { askForMail } from './domains/accounts/ask-for-mail.ts'
import { sendWelcomeMail } from './domains/accounts/emails.ts'
import { removeExpired } from './domains/accounts/remove-expired.ts'
import { sendAccountMail, sendText } from './domains/accounts/send-account-mail.ts'
import { tellAnnouncement } from './domains/administration/tell-announcement.ts'
import { foldCourseDays } from './domains/analytics/fold-course-days.ts'
import { recountAnalytics } from './domains/analytics/recount-analytics.ts'
import { carryOutDecision } from './domains/applications/carry-out-decision.ts'
import { announceToMembers } from './domains/community/announce-post.ts'
import { publishOverduePosts, publishScheduledPost } from './domains/community/publish-scheduled.ts'
import { indexCommunityWords } from './domains/community/index-words.ts'
import { takeBackAnnouncement } from './domains/community/take-back-announcement.ts'
import { recountCommunity } from './domains/community/recount-community.ts'
import { closeChallenge, closeOverdueChallenges } from './domains/challenges/close-challenge.ts'
import { importCourse } from './domains/course-transfer/import-course.ts'
import { removeAbandonedCourses } from './domains/courses/leave-courses.ts'
import { checkLedger } from './domains/ledger/check-ledger.ts'
import { refundSale, resumeRefunds } from './domains/earnings/refund-job.ts'
import { inviteByMail } from './domains/invitations/invite-by-mail.ts'
import { recountCounters } from './domains/courses/recount-counters.ts'
import { removeFiles } from './domains/media/delete-files.ts'
import { removeStaleUploads } from './domains/media/uploads.ts'
import { sendDigest, sendDigests } from './domains/notifications/digest.ts'
import { sendNoticeMail } from './domains/notifications/mail-notice.ts'
import { pruneLiveEvents } from './domains/notifications/prune-live-events.ts'
import { trimNotices } from './domains/notifications/trim-notices.ts'
import { deleteConnectedAccount } from './domains/payouts/delete-connected-account.ts'
import { followPayouts } from './domains/payouts/follow-payouts.ts'
import { payOutAvailable, payOutOnSchedule } from './domains/payouts/pay-out-on-schedule.ts'
import { sendPayout } from './domains/payouts/send-payout.ts'
import { checkConnectedAccounts } from './domains/payouts/sync-connected-account.ts'
import { applyPaymentEvent } from './domains/payments/apply-event.ts'
import { closeCheckouts } from './domains/payments/close-checkouts.ts'
import { tellCustomer } from './domains/payments/customer-facts.ts'
import { inOwnMode } from './domains/payments/payment-mode.ts'
import {
  cancelSubscription,
  deleteCustomer,
  payBack,
  refundCharge,
} from './domains/payments/provider-jobs.ts'
import { prunePaymentEvents } from './domains/payments/prune-events.ts'
import { reconcilePayments } from './domains/payments/reconcile.ts'
import { endOverdue } from './domains/purchases/end-overdue.ts'
import { countWords } from './domains/search/count-words.ts'
import { rankTrending } from './domains/search/rank-trending.ts'
import { sendSupportMail } from './domains/support/support-mail.ts'
import { deliverWebhooks, resumeWebhooks } from './domains/webhooks/deliver-webhooks.ts'
import type { Jobs, Lane } from './server/jobs.ts'
import { removeFormerBuilds } from './server/kept-builds.ts'
import type { Services } from './server/services.ts'

export const jobs = {
  sendWelcomeMail,
  askForMail,
  sendAccountMail,
  sendText,
  removeExpired,
  removeAbandonedCourses: (_payload, services) => removeAbandonedCourses(services),
  carryOutDecision,
  publishScheduledPost,
  publishOverduePosts: (_payload, services) => publishOverduePosts(services),
  announceToMembers,
  takeBackAnnouncement,
  recountCounters: (_payload, services) => recountCounters(services),
  recountCommunity: (_payload, services) => recountCommunity(services),
  indexCommunityWords: (_payload, services) => indexCommunityWords(services),
  recountAnalytics: (_payload, services) => recountAnalytics(services),
  foldCourseDays: (_payload, services) => foldCourseDays(services),
  checkLedger: (_payload, services) => checkLedger(services),
  importCourse,
  inviteByMail,
  removeFiles,
  sendNoticeMail,
  sendSupportMail,
  tellAnnouncement,
  closeChallenge,
  closeOverdueChallenges: (_payload, services) => closeOverdueChallenges(services),
  sendDigests,
  sendDigest,
  trimNotices,
  pruneLiveEvents: (_payload, services) => pruneLiveEvents(services),
  applyPaymentEvent: inOwnMode(applyPaymentEvent),
  closeCheckouts: inOwnMode(closeCheckouts),
  reconcilePayments: inOwnMode(reconcilePayments),
  cancelSubscription: inOwnMode(cancelSubscription),
  refundCharge: inOwnMode(refundCharge),
  payBack: inOwnMode(payBack),
  tellCustomer: inOwnMode(tellCustomer),
  deleteCustomer: inOwnMode(deleteCustomer),
  endOverdue: (_payload, services) => endOverdue(services),
  refundSale: inOwnMode(refundSale),
  resumeRefunds: (_payload, services) => resumeRefunds(services),
  checkConnectedAccounts: inOwnMode((_payload, services) => checkConnectedAccounts(services)),
  sendPayout: inOwnMode(sendPayout),
  followPayouts: inOwnMode((_payload, services) => followPayouts(services)),
  payOutOnSchedule: inOwnMode(payOutOnSchedule),
  payOutAvailable: inOwnMode(payOutAvailable),
  deleteConnectedAccount: inOwnMode(deleteConnectedAccount),
  prunePaymentEvents: (_payload, services) => prunePaymentEvents(services),
  rankTrending: (_payload, services) => rankTrending(services),
  countWords: (_payload, services) => countWords(services),
  removeStaleUploads: (_payload, services) => removeStaleUploads(services),
  removeFormerBuilds: (_payload, services) => removeFormerBuilds(services),
  deliverWebhooks,
  resumeWebhooks: (_payload, services) => resumeWebhooks(services),
} satisfies Jobs<Services>

export type JobName = keyof typeof jobs

/**
 * What a person waits for in front of the page: a link by mail, the course that was just paid. And what waits for
 * servers of others, of which each may take ten seconds.
 */
export const lanes: Lane[] = [
  { jobs: ['askForMail', 'sendAccountMail', 'sendText'], atOnce: 2 },
  { jobs: ['applyPaymentEvent'], atOnce: 2 },
  { jobs: ['deliverWebhooks'], atOnce: 8 },
]
