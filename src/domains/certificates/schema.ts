import * as z from 'zod'
import { placeInList, text, timestamp, uuid } from '../../fields.ts'
import { reasonMaxLength } from './rules.ts'

/** How a certificate looks: what the creator chose with Pro, as it was when it was made. */
const certificateLook = z.object({
  /** '#rrggbb'; null for the product's own. */
  colour: z.string().nullable(),
  /** A ready picture; null for the product's mark. */
  logoUrl: z.string().nullable(),
  heading: z.string(),
  /** Said below the course; empty for none. */
  words: z.string(),
  signatory: z.string(),
})
export type CertificateLook = z.infer<typeof certificateLook>

export const byCertificate = z.object({
  /** Anything that is no id is the address of no certificate. */
  certificateId: z.string().max(100, 'This is no certificate'),
})
export const byCourse = z.object({ courseId: uuid('The course') })

/** What everybody may see who has the address. */
export const certificate = z.object({
  id: z.uuid(),
  learnerName: z.string(),
  courseTitle: z.string(),
  creatorName: z.string(),
  look: certificateLook,
  issuedAt: timestamp,
  revoked: z.object({ at: timestamp, reason: z.string() }).nullable(),
  /** Of the course, while everybody may see it. */
  courseSlug: z.string().nullable(),
  /** It is the viewer's own. */
  isMine: z.boolean(),
})
export type Certificate = z.output<typeof certificate>

const ownCertificate = z.object({
  id: z.uuid(),
  courseId: z.uuid().nullable(),
  courseTitle: z.string(),
  creatorName: z.string(),
  issuedAt: timestamp,
  isRevoked: z.boolean(),
})
export type OwnCertificate = z.output<typeof ownCertificate>

export const ownCertificates = z.object({ certificates: z.array(ownCertificate) })

/** The viewer's certificate of one course. */
export const certificateOfCourse = z.object({
  certificate: z.object({ id: z.uuid(), isRevoked: z.boolean() }).nullable(),
})
export type CertificateOfCourse = z.output<typeof certificateOfCourse>['certificate']

export const issuedQuery = byCourse.extend({
  cursor: placeInList.optional(),
})

/** As those see it who look after the course. */
export const issuedCertificate = z.object({
  id: z.uuid(),
  learnerName: z.string(),
  courseTitle: z.string(),
  issuedAt: timestamp,
  revoked: z.object({ at: timestamp, reason: z.string() }).nullable(),
})
export type IssuedCertificate = z.output<typeof issuedCertificate>

export const issuedPage = z.object({
  certificates: z.array(issuedCertificate),
  nextCursor: z.string().nullable(),
})

export const byIssued = byCourse.extend({ certificateId: uuid('The certificate') })

export const revocation = byIssued.extend({
  /** Shown to everybody who has the address of the certificate. */
  reason: text(
    'The reason',
    reasonMaxLength,
    'Please say why: the learner reads it, and everybody who opens the certificate',
  ),
})
