// Every kind of job with the function that does it.
import { askForMail } from './domains/accounts/ask-for-mail.ts'
import { sendWelcomeMail } from './domains/accounts/emails.ts'
import { removeExpired } from './domains/accounts/remove-expired.ts'
import { sendAccountMail, sendText } from './domains/accounts/send-account-mail.ts'
import { carryOutDecision } from './domains/applications/carry-out-decision.ts'
import { announceToMembers } from './domains/community/announce-post.ts'
import { publishOverduePosts, publishScheduledPost } from './domains/community/publish-scheduled.ts'
import { recountCommunity } from './domains/community/recount-community.ts'
import { importCourse } from './domains/course-transfer/import-course.ts'
import { removeAbandonedCourses } from './domains/courses/leave-courses.ts'
import { inviteByMail } from './domains/invitations/invite-by-mail.ts'
import { recountCounters } from './domains/courses/recount-counters.ts'
import { removeFiles } from './domains/media/delete-files.ts'
import { removeStaleUploads } from './domains/media/uploads.ts'
import { sendDigest, sendDigests } from './domains/notifications/digest.ts'
import { sendNoticeMail } from './domains/notifications/mail-notice.ts'
import { pruneLiveEvents } from './domains/notifications/prune-live-events.ts'
import { trimNotices } from './domains/notifications/trim-notices.ts'
import { countWords } from './domains/search/count-words.ts'
import { rankTrending } from './domains/search/rank-trending.ts'
import type { Jobs } from './server/jobs.ts'
import type { Services } from './server/services.ts'

export const jobs: Jobs<Services> = {
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
  recountCounters: (_payload, services) => recountCounters(services),
  recountCommunity: (_payload, services) => recountCommunity(services),
  importCourse,
  inviteByMail,
  removeFiles,
  sendNoticeMail,
  sendDigests,
  sendDigest,
  trimNotices,
  pruneLiveEvents: (_payload, services) => pruneLiveEvents(services),
  rankTrending: (_payload, services) => rankTrending(services),
  countWords: (_payload, services) => countWords(services),
  removeStaleUploads: (_payload, services) => removeStaleUploads(services),
}

/** UTC, in crontab's notation. */
export const schedule = `0 0 * * * rankTrending ?fill=1d
0 7 * * * sendDigests ?fill=12h
27 3 * * * countWords
17 3 * * * removeStaleUploads
37 3 * * * trimNotices
* * * * * publishOverduePosts
*/10 * * * * pruneLiveEvents
47 3 * * * removeExpired
7 4 * * * removeAbandonedCourses
37 4 * * * recountCounters
57 4 * * * recountCommunity`
