import * as z from 'zod'
import { clearableLine, line, text, timestamp, uuid } from '../../fields.ts'
import { returnPath } from '../accounts/rules.ts'
import { announcementLimits as limits, audiences } from './announcement-rules.ts'

/** As it is stored: what a browser makes of it, so that no other site hides behind dots and slashes. */
const href = clearableLine('The link', limits.href)
  .refine(
    (path) => path === '' || returnPath(path, '') !== '',
    'The link must be a page of this site and begin with one slash, as in /about',
  )
  .transform((path) => path && returnPath(path, ''))

const audience = z.enum(audiences, 'Please choose who is told')

/** What is announced, on the page and on the command line. */
export const announcementFacts = z.object({
  title: line('The title', limits.title, 'Please write a title'),
  message: text('The message', limits.message, 'Please write a message'),
  href: href.default(''),
  audience,
})
export type AnnouncementFacts = z.output<typeof announcementFacts>

/** The id is chosen by who sends it: sent twice, it is one announcement. */
export const newAnnouncement = announcementFacts.extend({
  announcementId: uuid('The announcement'),
})

export type NewAnnouncement = z.output<typeof newAnnouncement>

export const announced = z.object({
  announcementId: z.uuid(),
  /** How many are told, as far as is known now. */
  people: z.number().int(),
})

export const audienceQuery = z.object({ audience })
export const audienceSize = z.object({ people: z.number().int() })

const announcement = z.object({
  id: z.uuid(),
  title: z.string(),
  message: z.string(),
  href: z.string().nullable(),
  audience,
  /** Null for the command line, and when the account was deleted. */
  announcedBy: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  createdAt: timestamp,
  toldCount: z.number().int(),
  /** How many would have been told when it was announced. */
  people: z.number().int(),
  finishedAt: timestamp.nullable(),
})
export type Announcement = z.output<typeof announcement>

export const announcementsQuery = z.object({
  cursor: z.string().max(200, 'This is not a place in the list').optional(),
})
export const announcementPage = z.object({
  announcements: z.array(announcement),
  nextCursor: z.string().nullable(),
})
export type AnnouncementPage = z.output<typeof announcementPage>
