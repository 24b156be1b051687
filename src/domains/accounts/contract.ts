import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { freshMinutes } from './leaving-rules.ts'
import { deletion, deletionPreview } from './leaving-schema.ts'
import {
  avatar,
  me,
  myProfile,
  profileSearch,
  profileUpdate,
  publicProfile,
  signInWays,
  uploadedAvatar,
} from './schema.ts'
import { mySecurity, ownSession } from './security-schema.ts'
import { lastWayIn } from './security-words.ts'

// Signing up, in and out are better-auth's own calls under /auth/v1 (docs/architecture.md).
export const accounts = {
  getMe: row('public', 'GET', '/rest/v1/me', 'Who I am, or null', {
    scope: 'profile:read',
    whileSuspended: true,
  }).output(me.nullable()),

  getSignInWays: row(
    'public',
    'GET',
    '/rest/v1/sign-in-ways',
    'How one can log in and sign up',
  ).output(signInWays),

  getMyProfile: row('signedIn', 'GET', '/rest/v1/me/profile', 'My profile, to edit', {
    scope: 'profile:read',
  }).output(myProfile),

  updateMyProfile: row('signedIn', 'PATCH', '/rest/v1/me/profile', 'Change my profile', {
    scope: 'profile:write',
  })
    .errors({
      USERNAME_TAKEN: {
        status: 409,
        message: 'This username is taken. Please choose another one.',
      },
      PROFILE_CHANGED: {
        status: 409,
        message:
          'Your profile was changed in another tab or on another device since you opened it. Load it again to see the newest version; copy what you wrote first.',
      },
    })
    .input(profileUpdate)
    .output(myProfile),

  /** The picture comes first, through an upload for the purpose `avatar`; the earlier one is deleted. */
  setMyAvatar: row('signedIn', 'PUT', '/rest/v1/me/avatar', 'Use a picture that I uploaded')
    .input(uploadedAvatar)
    .output(avatar),

  removeMyAvatar: row('signedIn', 'DELETE', '/rest/v1/me/avatar', 'Remove my picture').output(
    avatar,
  ),

  getMySecurity: row(
    'signedIn',
    'GET',
    '/rest/v1/me/security',
    'How my account is protected, and where I am signed in',
  ).output(mySecurity),

  /** All others at once is /auth/v1/revoke-other-sessions. */
  endMySession: row(
    'signedIn',
    'DELETE',
    '/rest/v1/me/sessions/{sessionId}',
    'Log out on one of my devices',
  )
    .input(ownSession)
    .output(z.object({ ended: z.literal(true) })),

  /** Connecting one is /auth/v1/phone-number/verify (docs/auth.md). */
  removeMyTelephone: row(
    'signedIn',
    'DELETE',
    '/rest/v1/me/telephone',
    'Remove my telephone number, which lets me in',
    { proven: true },
  )
    .errors({ LAST_WAY_IN: { status: 409, message: lastWayIn.telephone } })
    .output(z.object({ removed: z.literal(true) })),

  // The download of everything is a file: /storage/v1/my-data.zip, outside this contract.
  previewAccountDeletion: row(
    'signedIn',
    'GET',
    '/rest/v1/me/deletion',
    'What deleting my account would do',
    { whileSuspended: true },
  ).output(deletionPreview),

  deleteAccount: row('signedIn', 'POST', '/rest/v1/me/deletion', 'Delete my account', {
    whileSuspended: true,
  })
    .errors({
      WRONG_PASSWORD: { status: 403, message: 'The password is not correct. Please try again.' },
      LOG_IN_AGAIN: {
        status: 403,
        message: `You have no password to type again, so please log out, log in, and come back within ${freshMinutes} minutes.`,
      },
      TOO_MANY_ATTEMPTS: { status: 429 },
      OBSTACLE: { status: 409 },
    })
    .input(deletion)
    .output(z.object({ deleted: z.literal(true) })),

  /** Also answers to a name that one person has; the caller compares `username` to redirect. */
  getProfile: row('public', 'GET', '/rest/v1/users/{username}', 'Somebody’s public profile', {
    scope: 'courses:read',
    fromReplica: true,
  })
    .input(profileSearch.extend({ username: z.string() }))
    .output(publicProfile),
}

export type Me = z.output<typeof me>
