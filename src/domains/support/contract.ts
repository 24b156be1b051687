import { row } from '../../contract-row.ts'
import {
  answer,
  byRequest,
  closing,
  newMessage,
  newRequest,
  ownRequestPage,
  ownRequestsQuery,
  ownThread,
  queuedThread,
  queuePage,
  queueQuery,
  requestSent,
} from './schema.ts'

/** Who is suspended may have a question about it. */
const whileSuspended = { whileSuspended: true }
const tooMany = { TOO_MANY: { status: 429 } }
const tooLong = {
  TOO_LONG: {
    status: 409,
    message: 'This conversation has become long. Please send a new request.',
  },
}
const writtenMeanwhile = {
  WRITTEN_MEANWHILE: {
    status: 409,
    message: 'Something was written meanwhile. Please read it first.',
  },
}

export const support = {
  sendSupportRequest: row(
    'public',
    'POST',
    '/rest/v1/support/requests',
    'Ask for support',
    whileSuspended,
  )
    .errors({
      ...tooMany,
      FILLED_TRAP: {
        status: 403,
        message:
          'A field that nobody sees was filled in, as programs do. Please empty the field “Website” and send it again.',
      },
    })
    .input(newRequest)
    .output(requestSent),

  getMySupportRequests: row(
    'signedIn',
    'GET',
    '/rest/v1/support/requests',
    'What I asked',
    whileSuspended,
  )
    .input(ownRequestsQuery)
    .output(ownRequestPage),

  getMySupportRequest: row(
    'signedIn',
    'GET',
    '/rest/v1/support/requests/{requestId}',
    'What I asked once, with the answers',
    whileSuspended,
  )
    .input(byRequest)
    .output(ownThread),

  /** Opens a request again that was answered or closed. */
  writeToSupport: row(
    'signedIn',
    'POST',
    '/rest/v1/support/requests/{requestId}/messages',
    'Write more about what I asked',
    whileSuspended,
  )
    .errors({ ...tooMany, ...tooLong })
    .input(newMessage)
    .output(ownThread),

  closeMySupportRequest: row(
    'signedIn',
    'POST',
    '/rest/v1/support/requests/{requestId}/close',
    'Close what I asked: it needs no answer any more',
    whileSuspended,
  )
    .input(byRequest)
    .output(ownThread),

  getSupportQueue: row('admin', 'GET', '/rest/v1/admin/support/requests', 'What people asked')
    .input(queueQuery)
    .output(queuePage),

  getSupportRequest: row(
    'admin',
    'GET',
    '/rest/v1/admin/support/requests/{requestId}',
    'What somebody asked, with the answers',
  )
    .input(byRequest)
    .output(queuedThread),

  answerSupportRequest: row(
    'admin',
    'POST',
    '/rest/v1/admin/support/requests/{requestId}/messages',
    'Answer somebody who asked',
  )
    .errors({ ...tooLong, ...writtenMeanwhile })
    .input(answer)
    .output(queuedThread),

  closeSupportRequest: row(
    'admin',
    'POST',
    '/rest/v1/admin/support/requests/{requestId}/close',
    'Close what somebody asked, without an answer',
  )
    .errors(writtenMeanwhile)
    .input(closing)
    .output(queuedThread),
}
