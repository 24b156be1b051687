// What crosses the wire about members. Forms and handlers share it.
import * as z from 'zod'
import { clearableLine, clearableText, placeInList, slug, timestamp, uuid } from '../../fields.ts'
import { memberLimits } from './rules.ts'

export const membersQuery = z.object({
  /** The slug or the id of the course. */
  slug,
  /** Part of a member's name; for the instructor also of the email address. */
  search: clearableLine('Search text', memberLimits.search).default(''),
  cursor: placeInList.optional(),
})

const courseMember = z.object({
  /** Of the person. */
  id: z.uuid(),
  name: z.string(),
  username: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  verified: z.boolean(),
  joinedAt: timestamp,
  isInstructor: z.boolean(),
  /** Null for everybody but the instructor. */
  email: z.string().nullable(),
  /** Null for everybody but the instructor; of the instructor there is none. */
  progress: z
    .object({
      completedCount: z.number().int(),
      lessonsCount: z.number().int(),
      percent: z.number().int(),
      /** When a lesson was last watched or completed; null before the first. */
      lastActiveAt: timestamp.nullable(),
    })
    .nullable(),
})
export type CourseMember = z.output<typeof courseMember>

export const memberPage = z.object({
  /** Who joined last comes first. */
  members: z.array(courseMember),
  /** Of the whole course, whatever is searched for. */
  studentsCount: z.number().int(),
  total: z.number().int(),
  nextCursor: z.string().nullable(),
})
export type MemberPage = z.output<typeof memberPage>
export type MemberPageRow = z.input<typeof memberPage>

export const memberRemoval = z.object({
  courseId: uuid('The course'),
  userId: uuid('The member'),
  /** Told to the person. */
  reason: clearableText('The reason', memberLimits.reason).default(''),
})

/** A file, with the headers that go with it. */
export const exportedMembers = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.custom<ReadableStream<Uint8Array>>((value) => value instanceof ReadableStream),
})
