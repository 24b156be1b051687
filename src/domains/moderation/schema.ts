// What crosses the wire about reports and their cases. Forms and handlers share it.
import * as z from 'zod'
import { clearableLine, clearableText, timestamp, uuid } from '../../fields.ts'
import { attachment } from '../community/schema.ts'
import {
  caseActions,
  moderationLimits as limits,
  needsNote,
  reportReasons,
  tooManyWords,
} from './rules.ts'
import { comparable } from './text-rules.ts'

const note = clearableText('The note', limits.note).default('')

/** Of a post or of a comment. */
export const report = z
  .object({
    postId: uuid('The post').optional(),
    commentId: uuid('The comment').optional(),
    reason: z.enum(reportReasons, 'Please choose a reason'),
    note,
  })
  .refine(({ postId, commentId }) => (postId === undefined) !== (commentId === undefined), {
    error: 'A report is about a post or about a comment',
  })
export const reported = z.object({
  reported: z.literal(true),
  /** The person had reported it before; nothing has changed. */
  again: z.boolean(),
  /** What the instructor wrote is looked at by administrators. */
  lookedAtBy: z.enum(['instructor', 'administrators']),
})

const person = z.object({
  id: z.uuid(),
  name: z.string(),
  username: z.string().nullable(),
  avatarUrl: z.string().nullable(),
})

const moderationCase = z.object({
  id: z.uuid(),
  course: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }),
  subject: z.enum(['post', 'comment']),
  /** To look at it where it stands; null when it is gone. */
  postId: z.uuid().nullable(),
  commentId: z.uuid().nullable(),
  /** What became of it since. */
  subjectStatus: z.enum(['published', 'hidden', 'deleted']),
  /** Of itself: a comment can be published below a post that is hidden, and is read again with it. */
  ownStatus: z.enum(['published', 'hidden', 'deleted']),
  /** Of a comment, whose post is: nobody would read it, so it cannot be restored before the post. */
  postIsHidden: z.boolean(),
  /** What it said when it was reported first. */
  content: z.string(),
  /** What it says now, where that differs; null else. */
  currentContent: z.string().nullable(),
  /** Its author has edited it since, and it says the same: other images or videos may have stood below it. */
  showsElse: z.boolean(),
  author: person.nullable(),
  /** Still there to be warned: a member, who can be removed as well, or the instructor, who stays. */
  authorIsMember: z.boolean(),
  aboutInstructor: z.boolean(),
  status: z.enum(['open', 'closed']),
  outcome: z.enum(caseActions).nullable(),
  reportsCount: z.number().int(),
  /** How often each reason was given, most often first. */
  reasons: z.array(z.object({ reason: z.enum(reportReasons), count: z.number().int() })),
  createdAt: timestamp,
  closedAt: timestamp.nullable(),
})
export type ModerationCase = z.output<typeof moderationCase>

const casesFilter = z.object({
  status: z.enum(['open', 'closed'], 'Please choose open or closed').default('open'),
  cursor: z.string().max(200, 'This is not a place in the list').optional(),
})
export const courseCasesQuery = casesFilter.extend({ courseId: uuid('The course') })
export const allCasesQuery = casesFilter
export const casePage = z.object({
  /** Newest first. */
  cases: z.array(moderationCase),
  /** Open ones, of all. */
  openCount: z.number().int(),
  nextCursor: z.string().nullable(),
})
export type CasePage = z.output<typeof casePage>
export type CasePageRow = z.input<typeof casePage>

export const byCase = z.object({ caseId: uuid('The case') })
export const caseDetails = moderationCase.extend({
  /** Of a post, as it is now, also while it is hidden. */
  attachments: z.array(attachment),
  /** Of the poll of a post, in their order; empty without one. */
  pollAnswers: z.array(z.string()),
  /** Oldest first, at most 100. Who reported is told to nobody but moderators. */
  reports: z.array(
    z.object({
      id: z.uuid(),
      reporter: person,
      reason: z.enum(reportReasons),
      note: z.string(),
      createdAt: timestamp,
    }),
  ),
  /** Oldest first. */
  history: z.array(
    z.object({
      id: z.uuid(),
      moderator: person.nullable(),
      action: z.enum(caseActions),
      note: z.string(),
      createdAt: timestamp,
    }),
  ),
})
export type CaseDetails = z.output<typeof caseDetails>
export type CaseDetailsRow = z.input<typeof caseDetails>

/**
 * `note` is required for 'note' and 'warn'. With 'note' and 'dismiss' it is for moderators; with the others
 * the author reads it. 'remove_member' hides what was reported as well.
 */
export const caseDecision = byCase
  .extend({ action: z.enum(caseActions, 'Please choose what to do'), note })
  .refine(({ action, note: text }) => text !== '' || !needsNote(action), {
    error: ({ input }) =>
      (input as { action?: unknown }).action === 'warn'
        ? 'Please write what you warn about'
        : 'Please write a note',
    path: ['note'],
  })

export const communitySettings = z.object({
  /** As they are compared: in lower case, each once. */
  blockedWords: z.array(z.string()),
  /** So many first posts and comments of a member may have few links; 0 means no limit. */
  firstPosts: z
    .int('Please give a whole number of posts')
    .min(0, 'The number of first posts cannot be negative')
    .max(limits.firstPosts, `At most the first ${limits.firstPosts} posts can be limited`),
  /** Links that each of those may have. */
  firstPostsLinks: z
    .int('Please give a whole number of links')
    .min(0, 'The number of links cannot be negative')
    .max(limits.firstPostsLinks, `The limit can be at most ${limits.firstPostsLinks} links`),
})
export type CommunitySettings = z.output<typeof communitySettings>

/** Empty ones and repetitions are dropped. */
const blockedWords = z
  .array(clearableLine('A blocked word', limits.blockedWord), 'The blocked words must be a list')
  .transform((words) => [...new Set(words.map(comparable).filter((word) => word !== ''))])
  .pipe(z.array(z.string()).max(limits.blockedWords, tooManyWords))
export const communitySettingsSave = communitySettings.extend({
  courseId: uuid('The course'),
  blockedWords,
  /** What was there when it was read: what somebody else changed since, and this does not, stays. Left out, all is replaced. */
  begun: communitySettings.extend({ blockedWords }).optional(),
})
export const settingsOf = z.object({ courseId: uuid('The course') })
