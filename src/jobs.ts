// Every kind of job with the function that does it.
import { sendWelcomeMail } from './domains/accounts/emails.ts'
import { removeStaleUploads } from './domains/media/uploads.ts'
import type { Jobs } from './server/jobs.ts'
import type { Services } from './server/services.ts'

export const jobs: Jobs<Services> = {
  sendWelcomeMail,
  removeStaleUploads: (_payload, services) => removeStaleUploads(services),
}

/** UTC, in crontab's notation. */
export const schedule = '17 3 * * * removeStaleUploads'
