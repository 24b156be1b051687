import { row } from '../../contract-row.ts'
import {
  allCasesQuery,
  byCase,
  caseDecision,
  caseDetails,
  casePage,
  communitySettings,
  communitySettingsSave,
  courseCasesQuery,
  report,
  reported,
  settingsOf,
} from './schema.ts'

export const moderation = {
  /** Reporting twice is harmless; all reports of one thing join one open case. */
  reportContent: row('member', 'POST', '/rest/v1/reports', 'Report a post or a comment', {
    scope: 'community:write',
  })
    .errors({
      OWN_CONTENT: { status: 403, message: 'You cannot report what you wrote yourself.' },
      TOO_MANY: { status: 429 },
    })
    .input(report)
    .output(reported),

  getCourseCases: row(
    'moderator',
    'GET',
    '/rest/v1/courses/{courseId}/moderation-cases',
    'What was reported in a course',
    { scope: 'moderation:read' },
  )
    .input(courseCasesQuery)
    .output(casePage),

  getAllCases: row('admin', 'GET', '/rest/v1/moderation-cases', 'What was reported anywhere')
    .input(allCasesQuery)
    .output(casePage),

  getCase: row(
    'moderator',
    'GET',
    '/rest/v1/moderation-cases/{caseId}',
    'A case with its reports and its history',
    { scope: 'moderation:read' },
  )
    .input(byCase)
    .output(caseDetails),

  decideCase: row(
    'moderator',
    'POST',
    '/rest/v1/moderation-cases/{caseId}/actions',
    'Decide a case, or note something about it',
    { scope: 'moderation:write' },
  )
    .errors({
      ALREADY_DECIDED: { status: 409, message: 'Somebody has decided this case already.' },
      CREATOR_STAYS: {
        status: 403,
        message: 'The creator of a course cannot be removed from it.',
      },
    })
    .input(caseDecision)
    .output(caseDetails),

  getCommunitySettings: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/community-settings',
    'The word filter and the limit of links of my community',
    { scope: 'moderation:read' },
  )
    .input(settingsOf)
    .output(communitySettings),

  saveCommunitySettings: row(
    'instructor',
    'PUT',
    '/rest/v1/courses/{courseId}/community-settings',
    'Change the word filter and the limit of links of my community',
    {
      scope: 'moderation:write',
      description:
        'These become all blocked words of the community: one that is not sent is removed.',
    },
  )
    .input(communitySettingsSave)
    .output(communitySettings),
}
