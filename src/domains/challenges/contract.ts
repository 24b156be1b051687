import { row } from '../../contract-row.ts'
import {
  adminChallenge,
  adminChallengePage,
  adminChallengesQuery,
  byChallenge,
  bySlug,
  cancellation,
  challengeChange,
  challengeList,
  challengePage,
  entering,
  myEntry,
  newChallenge,
  publicDraw,
} from './schema.ts'

const notOpen = {
  NOT_OPEN: { status: 409, message: 'This challenge is not open, so entries cannot change.' },
}

export const challenges = {
  listChallenges: row('public', 'GET', '/rest/v1/challenges', 'Challenges and giveaways', {
    fromReplica: true,
  }).output(challengeList),

  getChallenge: row('public', 'GET', '/rest/v1/challenges/{slug}', 'One challenge', {
    fromReplica: true,
  })
    .input(bySlug)
    .output(challengePage),

  getDraw: row(
    'public',
    'GET',
    '/rest/v1/challenges/{slug}/draw',
    'All that is needed to draw again',
    { fromReplica: true },
  )
    .input(bySlug)
    .output(publicDraw),

  getMyEntry: row('signedIn', 'GET', '/rest/v1/challenges/{slug}/my-entry', 'What I entered')
    .input(bySlug)
    .output(myEntry),

  /** Enters a course, or another one in place of the one before. */
  enterChallenge: row('signedIn', 'PUT', '/rest/v1/challenges/{slug}/my-entry', 'Enter a course')
    .errors({
      ...notOpen,
      PRO_ONLY: { status: 403, message: 'Challenges are a Pro benefit. Upgrade to enter.' },
    })
    .input(entering)
    .output(myEntry),

  /** Twice is harmless. */
  withdrawEntry: row(
    'signedIn',
    'DELETE',
    '/rest/v1/challenges/{slug}/my-entry',
    'Withdraw my entry',
  )
    .errors(notOpen)
    .input(bySlug)
    .output(myEntry),

  getAllChallenges: row('admin', 'GET', '/rest/v1/admin/challenges', 'All challenges, also drafts')
    .input(adminChallengesQuery)
    .output(adminChallengePage),

  getAnyChallenge: row('admin', 'GET', '/rest/v1/admin/challenges/{challengeId}', 'A challenge')
    .input(byChallenge)
    .output(adminChallenge),

  createChallenge: row('admin', 'POST', '/rest/v1/admin/challenges', 'Draft a challenge')
    .input(newChallenge)
    .output(adminChallenge),

  updateChallenge: row('admin', 'PUT', '/rest/v1/admin/challenges/{challengeId}', 'Change a draft')
    .errors({
      NOT_DRAFT: {
        status: 409,
        message: 'It is published, so that it cannot be changed any more.',
      },
      DRAFT_CHANGED: {
        status: 409,
        message:
          'This draft was changed in another tab or by somebody else since you opened it. Yours is not saved: compare both first.',
      },
    })
    .input(challengeChange)
    .output(adminChallenge),

  publishChallenge: row(
    'admin',
    'POST',
    '/rest/v1/admin/challenges/{challengeId}/publish',
    'Show a draft to everybody',
  )
    .errors({
      NOT_DRAFT: { status: 409, message: 'It is published already.' },
      TOO_LATE: {
        status: 409,
        message: 'The time at which it closes has passed. Please choose a later one.',
      },
    })
    .input(byChallenge)
    .output(adminChallenge),

  cancelChallenge: row(
    'admin',
    'POST',
    '/rest/v1/admin/challenges/{challengeId}/cancel',
    'Cancel a challenge that is not drawn',
  )
    .errors({
      TOO_LATE: { status: 409, message: 'It is over, so that it cannot be canceled any more.' },
    })
    .input(cancellation)
    .output(adminChallenge),

  /** Drawn twice there is the same winner, who is told once. */
  drawChallenge: row(
    'admin',
    'POST',
    '/rest/v1/admin/challenges/{challengeId}/draw',
    'Draw the winner of a challenge that is closed',
  )
    .errors({
      NOT_CLOSED: { status: 409, message: 'A winner is drawn when the challenge is closed.' },
      NO_ENTRIES: { status: 409, message: 'Nobody took part, so there is nothing to draw.' },
      SEED_UNREADABLE: {
        status: 409,
        message:
          'The secret of this server was changed since it was published, so that it cannot be drawn any more. Please cancel it.',
      },
    })
    .input(byChallenge)
    .output(adminChallenge),
}
