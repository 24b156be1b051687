// Pure decisions of the moderation.

export const reportReasons = [
  'spam',
  'harassment',
  'hate',
  'sexual',
  'dangerous',
  'copyright',
  'other',
] as const
export type ReportReason = (typeof reportReasons)[number]

/** `note` and `restore` leave a case as it is; everything else closes it. */
export const caseActions = [
  'dismiss',
  'hide',
  'delete',
  'warn',
  'remove_member',
  'restore',
  'note',
] as const
export type CaseAction = (typeof caseActions)[number]

export const moderationLimits = {
  note: 2_000,
  blockedWords: 200,
  blockedWord: 50,
  firstPosts: 20,
  firstPostsLinks: 10,
} as const

export const tooManyWords = `There can be at most ${moderationLimits.blockedWords} blocked words`

export const casesPerPage = 20

/** Where moderators of the course look at what was reported. */
export const moderationPath = (slug: string) => `/course/${slug}/moderation`

/** Where administrators look at what was reported in all courses. */
export const allCasesPath = '/moderation'

/** Where the instructor changes the rules of the community. */
export const communitySettingsPath = (slug: string) => `${moderationPath(slug)}?view=settings`

/** Where the instructor of a course, and administrators, decide a case. */
export const casePath = (slug: string, caseId: string) => `${moderationPath(slug)}?case=${caseId}`

/** A case that one of these ended can still have a note, and what was hidden can come back. */
export const staysAsItIs = (action: CaseAction) => action === 'note' || action === 'restore'

/** What somebody reads of these is in the words of the moderator. */
export const needsNote = (action: CaseAction) => action === 'note' || action === 'warn'
