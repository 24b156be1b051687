// Every kind of job with the function that does it.
import { askForMail } from './domains/accounts/ask-for-mail.ts'
import { sendWelcomeMail } from './domains/accounts/emails.ts'
import { removeExpired } from './domains/accounts/remove-expired.ts'
import { sendAccountMail, sendText } from './domains/accounts/send-account-mail.ts'
import { importCourse } from './domains/course-transfer/import-course.ts'
import { removeAbandonedCourses } from './domains/courses/leave-courses.ts'
import { removeFiles } from './domains/media/delete-files.ts'
import { removeStaleUploads } from './domains/media/uploads.ts'
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
  importCourse,
  removeFiles,
  rankTrending: (_payload, services) => rankTrending(services),
  countWords: (_payload, services) => countWords(services),
  removeStaleUploads: (_payload, services) => removeStaleUploads(services),
}

/** UTC, in crontab's notation. */
export const schedule = `0 0 * * * rankTrending ?fill=1d
27 3 * * * countWords
17 3 * * * removeStaleUploads
47 3 * * * removeExpired
7 4 * * * removeAbandonedCourses`
