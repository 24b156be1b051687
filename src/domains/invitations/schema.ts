import * as z from 'zod'
import { timestamp, uuid } from '../../fields.ts'
import { courseCard } from '../courses/schema.ts'
import { invitationLimits, invitationStates, tooManyAddresses, verdicts } from './rules.ts'

const wholeNumber = (name: string, max: number) => {
  const problem = `${name} must be a whole number, 1 to ${max.toLocaleString('en-US')}`
  return z.int(problem).min(1, problem).max(max, problem)
}

export const newLink = z.object({
  courseId: uuid('The course'),
  /** How many may join by it; any number when left out. */
  maxUses: wholeNumber('The number of people', invitationLimits.maxUses).nullish(),
  /** Forever when left out. */
  expiresInDays: wholeNumber('The number of days', invitationLimits.days).nullish(),
})
export type NewLink = z.output<typeof newLink>

/** As the instructor reads it. */
export const invitation = z.object({
  id: z.uuid(),
  /** The address to pass on; null for one that was mailed. */
  url: z.string().nullable(),
  /** Whom it was mailed to; null for a link. */
  email: z.string().nullable(),
  state: z.enum(invitationStates),
  /** Null means any number. */
  maxUses: z.number().int().nullable(),
  usesCount: z.number().int(),
  expiresAt: timestamp.nullable(),
  createdAt: timestamp,
})
export type Invitation = z.output<typeof invitation>

export const invitationsQuery = z.object({
  courseId: uuid('The course'),
  kind: z.enum(['links', 'mails']).default('links'),
  /** `nextCursor` of the page before. */
  cursor: z.string().max(200, 'This is not a place in the list').optional(),
})
export type InvitationsQuery = z.output<typeof invitationsQuery>

/** Newest first. */
export const invitationPage = z.object({
  invitations: z.array(invitation),
  nextCursor: z.string().nullable(),
})

export const byInvitationId = z.object({
  courseId: uuid('The course'),
  invitationId: uuid('The invitation'),
})

export const byCode = z.object({ code: z.string('The invitation must be its code').max(5000) })

/** What somebody who follows an invitation sees. */
export const followedInvitation = z.object({
  state: z.enum([...invitationStates, 'unknown']),
  /** Null while nobody but its members may see the course. */
  course: courseCard
    .pick({
      id: true,
      slug: true,
      title: true,
      summary: true,
      category: true,
      thumbnail: true,
      pricingType: true,
      priceAmount: true,
      applicationRequired: true,
      lessonsCount: true,
    })
    .extend({
      instructor: z.object({
        name: z.string(),
        username: z.string().nullable(),
        avatarUrl: z.string().nullable(),
      }),
      status: z.enum(['draft', 'published']),
      standing: z.enum(['visitor', 'signedIn', 'member', 'instructor']),
    })
    .nullable(),
})
export type FollowedInvitation = z.output<typeof followedInvitation>

export const addressList = z.object({
  courseId: uuid('The course'),
  /** CSV, or simply one address on each line. */
  csv: z
    .string('The list must be text')
    .max(invitationLimits.listLength, tooManyAddresses)
    .refine((text) => text.trim() !== '', 'The list is empty. Put in at least one address.'),
  /** Only says what would happen. */
  dryRun: z.boolean('A dry run must be on or off').default(true),
})

const count = z.number().int()

/** What a list would do, or did: those to invite are invited unless it was a dry run. */
export const listReport = z.object({
  dryRun: z.boolean(),
  counts: z.object({
    invite: count,
    member: count,
    invited: count,
    repeated: count,
    self: count,
    invalid: count,
  } satisfies Record<(typeof verdicts)[number], z.ZodType>),
  entries: z.array(
    z.object({
      /** Of the list, 1-based. */
      line: count,
      /** The address, or what stands there instead. */
      text: z.string(),
      verdict: z.enum(verdicts),
    }),
  ),
  /** Why it cannot be sent now; null when it can. */
  obstacle: z.string().nullable(),
})
export type ListReport = z.output<typeof listReport>
