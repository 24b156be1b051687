import { sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { withoutLightning } from '../courses/rules.ts'
import { notify } from '../notifications/notify.ts'
import { keepEvent } from '../webhooks/keep-event.ts'
import { signCredential } from './credential-keys.ts'
import { certificatePath, defaultHeading, departedCreator } from './rules.ts'
import type { CertificateLook } from './schema.ts'
import { certificates } from './tables.ts'

interface Completer {
  userId: string
  courseId: string
}

interface Found extends Record<string, unknown> {
  /** Of the certificate that is there already; else null, and `newId` is the next one's. */
  id: string | null
  newId: string
  now: Date
  learnerName: string
  courseTitle: string
  lessonsCount: number
  creatorName: string
  creatorId: string
  colour: string | null
  logoId: string | null
  heading: string
  words: string
  signatory: string
}

/**
 * Everything that a certificate is made of, for who is enrolled in a course of somebody else and has completed
 * all of its lessons, of which there is one at least; else no row.
 */
const found = ({ userId, courseId }: Completer) => sql`
  select k.id, uuidv7() as "newId", now() as "now", u.name as "learnerName",
         c.title as "courseTitle", c.lessons_count as "lessonsCount",
         case when t.id = ${departedUserId} then ${departedCreator}::text else t.name end as "creatorName",
         t.id as "creatorId", b.colour, b.logo_id as "logoId", coalesce(b.certificate_heading, '') as heading,
         coalesce(b.certificate_words, '') as words,
         coalesce(b.certificate_signatory, '') as signatory
    from courses c
    join users u on u.id = ${userId}
    join users t on t.id = c.instructor_id
    join enrollments e on e.course_id = c.id and e.user_id = u.id
    left join course_brandings b on b.course_id = c.id
    left join certificates k on k.course_id = c.id and k.user_id = u.id
   where c.id = ${courseId} and c.instructor_id <> u.id and c.lessons_count > 0
     and (k.id is not null
          or c.lessons_count <= (select count(*) from lesson_completions d
                                  where d.user_id = u.id and d.course_id = c.id))`

function lookOf(row: Found): CertificateLook {
  return {
    colour: row.colour,
    logoUrl: row.logoId === null ? null : `/storage/v1/images/${row.logoId}/256.webp`,
    heading: row.heading || defaultHeading,
    words: row.words,
    signatory: row.signatory || row.creatorName,
  }
}

/**
 * The certificate of who has completed the whole course: made now, or made before, whatever became of it. Null when
 * there is none to be had. Part of the transaction of the completion, after `holdProgress`: a person's completions
 * in a course stand in line there, so the last of them sees all others.
 */
export async function issueCertificate(
  transaction: Transaction,
  { config: { appUrl }, secret }: Pick<Services, 'config' | 'secret'>,
  who: Completer,
): Promise<string | null> {
  const { rows } = await transaction.execute<Found>(found(who))
  const row = rows[0]
  if (!row) return null
  if (row.id !== null) return row.id
  const issuedAt = new Date(row.now)
  const certificate = {
    learnerName: row.learnerName,
    courseTitle: withoutLightning(row.courseTitle),
    creatorName: row.creatorName,
  }
  const credential = await signCredential(
    transaction,
    { appUrl, secret },
    {
      ...certificate,
      certificateId: row.newId,
      courseId: who.courseId,
      lessonsCount: row.lessonsCount,
      issuedAt,
    },
  )
  const made = await transaction
    .insert(certificates)
    .values({
      userId: who.userId,
      courseId: who.courseId,
      ...certificate,
      creatorId: row.creatorId,
      id: row.newId,
      look: lookOf(row),
      credential,
      issuedAt,
    })
    .onConflictDoNothing()
    .returning({ id: certificates.id })
  if (made.length === 0) return certificateIdOf(transaction, who)
  await notify(transaction, {
    userId: who.userId,
    kind: 'certificate_issued',
    title: 'Your certificate is ready',
    message: `You completed ${quoted(certificate.courseTitle)}, every lesson of it.`,
    href: certificatePath(row.newId),
  })
  await keepEvent(transaction, {
    type: 'course.completed',
    courseId: who.courseId,
    personId: who.userId,
    more: { certificate: { id: row.newId } },
  })
  return row.newId
}

/** Two who made it at once: the one that was faster. */
async function certificateIdOf(transaction: Transaction, { userId, courseId }: Completer) {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    select id from certificates where user_id = ${userId} and course_id = ${courseId}`)
  return rows[0]?.id ?? null
}
