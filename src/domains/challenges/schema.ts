// What crosses the wire about challenges. Forms and handlers share it.
import * as z from 'zod'
import { line, slug, text, timestamp, uuid } from '../../fields.ts'
import { challengeKinds, challengeLimits as limits, phases } from './rules.ts'

export const bySlug = z.object({ slug })
export const byChallenge = z.object({ challengeId: uuid('The challenge') })

/** What is no date ends the check: the comparisons below come after it. */
const moment = (missing: string) =>
  z.iso
    .datetime({ offset: true, error: missing, abort: true })
    .transform((value) => new Date(value))
    .refine((date) => Math.abs(date.getUTCFullYear() - 2100) <= 100, {
      error: missing,
      abort: true,
    })

const fields = z.object({
  kind: z.enum(challengeKinds, 'Please choose a challenge or a giveaway'),
  title: line('Title', limits.title),
  prize: line('The prize', limits.prize),
  rules: text('The rules', limits.rules, 'The rules are required'),
  opensAt: moment('Please say when it opens'),
  closesAt: moment('Please say when it closes'),
})

const dayLength = 24 * 60 * 60 * 1000
const inOrder = ({ opensAt, closesAt }: { opensAt: Date; closesAt: Date }) => opensAt < closesAt
const notTooLong = ({ opensAt, closesAt }: { opensAt: Date; closesAt: Date }) =>
  closesAt.getTime() - opensAt.getTime() <= limits.days * dayLength

const afterOpening = { error: 'It has to close after it opens', path: ['closesAt'] }
const withinYear = { error: 'It can be open for a year at most', path: ['closesAt'] }

export const newChallenge = fields.refine(inOrder, afterOpening).refine(notTooLong, withinYear)
export type NewChallenge = z.output<typeof newChallenge>

export const challengeChange = fields
  .extend({
    challengeId: uuid('The challenge'),
    /** The one that the form started from; another one in the database means a conflict. Left out, all is replaced. */
    version: z.string('The version of the draft has to be a text').optional(),
  })
  .refine(inOrder, afterOpening)
  .refine(notTooLong, withinYear)

export const cancellation = byChallenge.extend({
  reason: text('The reason', limits.reason, 'Please say why it is canceled'),
})

const winner = z.object({
  number: z.number().int(),
  /** Null for a former creator. */
  name: z.string().nullable(),
  username: z.string().nullable(),
  courseTitle: z.string().nullable(),
  /** Where it can be looked at; null when it cannot. */
  courseSlug: z.string().nullable(),
})

const summary = z.object({
  slug: z.string(),
  kind: z.enum(challengeKinds),
  title: z.string(),
  prize: z.string(),
  opensAt: timestamp,
  closesAt: timestamp,
  phase: z.enum(phases),
  /** Those in the frozen list, once there is one. */
  entriesCount: z.number().int(),
  winner: winner.nullable(),
})
export type ChallengeSummary = z.output<typeof summary>
export type ChallengeSummaryRow = z.input<typeof summary>

export const challengeList = z.object({
  /** Those that close first come first. */
  open: z.array(summary),
  coming: z.array(summary),
  /** Newest first; those that wait for their draw are among them. */
  past: z.array(summary),
})

export const challengePage = summary.extend({
  rules: z.string(),
  seedHash: z.string(),
  /** From the draw on. */
  seed: z.string().nullable(),
  /** From the closing on. */
  entriesHash: z.string().nullable(),
  entries: z.array(winner.extend({ id: z.uuid() })),
  canceledReason: z.string().nullable(),
})
export type ChallengePage = z.output<typeof challengePage>
export type ChallengePageRow = z.input<typeof challengePage>

/** All that is needed to draw again. */
export const publicDraw = z.object({
  challenge: z.string(),
  status: z.enum(['published', 'closed', 'drawn', 'canceled']),
  seedHash: z.string(),
  seed: z.string().nullable(),
  entriesHash: z.string().nullable(),
  entries: z.array(z.object({ number: z.number().int(), id: z.uuid() })),
  winnerNumber: z.number().int().nullable(),
})

export const myEntry = z.object({
  plan: z.enum(['free', 'pro']),
  /** Null when nothing of mine takes part. */
  entry: z
    .object({
      courseId: z.uuid().nullable(),
      courseTitle: z.string().nullable(),
      /** Only then it counts at the end. */
      isPublished: z.boolean(),
    })
    .nullable(),
  /** What could be entered: my published courses. */
  courses: z.array(z.object({ id: z.uuid(), title: z.string() })),
})
export type MyEntry = z.output<typeof myEntry>

export const entering = bySlug.extend({ courseId: uuid('The course') })

export const adminChallenge = summary.extend({
  id: z.uuid(),
  rules: z.string(),
  seedHash: z.string(),
  entriesHash: z.string().nullable(),
  canceledReason: z.string().nullable(),
  /** It was published, so that everybody sees it, also when it was canceled since. */
  isPublic: z.boolean(),
  version: z.string(),
})
export type AdminChallenge = z.output<typeof adminChallenge>
export type AdminChallengeRow = z.input<typeof adminChallenge>

export const adminChallengesQuery = z.object({
  cursor: z.string().max(200, 'This is not a place in the list').optional(),
})
export const adminChallengePage = z.object({
  /** Those that close last come first. */
  challenges: z.array(adminChallenge),
  nextCursor: z.string().nullable(),
})
