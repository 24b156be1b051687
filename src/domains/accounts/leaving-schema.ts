// What crosses the wire when somebody deletes the own account.
import * as z from 'zod'
import { confirmationWord } from './leaving-rules.ts'
import { limits, readSignUp } from './rules.ts'

/** What would happen, with this person's own numbers. */
export const deletionPreview = z.object({
  email: z.string(),
  /** Why the account cannot be deleted now; null when it can. */
  obstacle: z.string().nullable(),
  /** What proves that it is the owner: the password typed again, else a recent log-in. */
  proof: z.enum(['password', 'recent log-in']),
  /** False when the log-in is too long ago to be the proof. */
  proven: z.boolean(),
  /** Own courses, oldest first; what becomes of those with members is the person's choice. */
  courses: z.array(
    z.object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      membersCount: z.number().int(),
      /** Who paid and has it still, members at the moment or not; with any of them it stays. */
      buyersCount: z.number().int(),
    }),
  ),
  consequences: z.array(z.object({ text: z.string(), stays: z.boolean() })),
  /** '$25.91', earned and with nowhere to go: the person has to say that it is given up. */
  earningsToGiveUp: z.string().nullable(),
  /** Nothing can be set up to send them meanwhile. */
  isSuspended: z.boolean(),
})
export type DeletionPreview = z.output<typeof deletionPreview>

export const deletion = z.object({
  confirmation: z
    .string(`Type ${confirmationWord} to confirm`)
    .refine((word) => word.trim() === confirmationWord, `Type ${confirmationWord} to confirm`),
  /** Left out by who has no password. */
  password: z
    .string('Password must be text')
    // As at the log-in, which trims it.
    .transform((password) => readSignUp({ password }).password)
    .pipe(
      z.string().max(limits.password, `Password can have at most ${limits.password} characters`),
    )
    .default(''),
  /** For own courses that others are members of; needed only when there are such. */
  membersCourses: z
    .enum(['keep', 'delete'], 'Please say what should happen to your courses: keep or delete')
    .optional(),
  /** Needed only by who has earned money that cannot be sent; the second form is that of a page. */
  giveUpEarnings: z
    .union([z.boolean(), z.literal('on').transform(() => true)], 'Say whether you give them up')
    .default(false),
  /** `earningsToGiveUp` as the person has read it: when it is more by now, that has to be said again. */
  earningsGivenUp: z.string('The amount must be text').max(40, 'The amount is too long').optional(),
})
export type Deletion = z.output<typeof deletion>
