// All that is read about certificates.
import { and, eq, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Executor } from '../../server/db.ts'
import type { CertificateLook } from './schema.ts'
import { certificates, revokedCredentials } from './tables.ts'

const perPage = 25

/** A logo whose file was removed since is not shown. */
const logoId = `substring(k.look->>'logoUrl' from '/images/([0-9a-f-]{36})/')::uuid`
const hasLogo = `exists (select 1 from media_files m where m.id = ${logoId})`

interface CertificateRow {
  id: string
  userId: string
  learnerName: string
  courseTitle: string
  creatorName: string
  look: CertificateLook
  hasLogo: boolean
  issuedAt: Date
  revokedAt: Date | null
  revokedReason: string | null
  courseSlug: string | null
}

const revokedOf = (row: { revokedAt: Date | null; revokedReason: string | null }) =>
  row.revokedAt && { at: row.revokedAt, reason: row.revokedReason ?? '' }

/** A certificate as everybody may see it; null when there is none with this id. */
export async function certificateById(pool: Pool, id: string) {
  const { rows } = await pool.query<CertificateRow>({
    name: 'certificate',
    text: `select k.id, k.user_id as "userId", k.learner_name as "learnerName",
                  k.course_title as "courseTitle", k.creator_name as "creatorName", k.look,
                  ${hasLogo} as "hasLogo", k.issued_at as "issuedAt", k.revoked_at as "revokedAt",
                  k.revoked_reason as "revokedReason", c.slug as "courseSlug"
             from certificates k left join courses c on c.id = k.course_id and c.status = 'published'
            where k.id = $1`,
    values: [id],
  })
  const row = rows[0]
  if (!row) return null
  const look = row.hasLogo ? row.look : { ...row.look, logoUrl: null }
  return { ...row, look, revoked: revokedOf(row) }
}

/** Names all that the page of a certificate shows and that can change. */
export async function certificateVersion(pool: Pool, id: string): Promise<string | null> {
  const { rows } = await pool.query<(string | null)[]>({
    name: 'certificate-version',
    text: `select k.revoked_at::text, ${hasLogo}::text, c.slug, k.creator_name, k.look->>'signatory'
             from certificates k left join courses c on c.id = k.course_id and c.status = 'published'
            where k.id = $1`,
    values: [id],
    rowMode: 'array',
  })
  return rows[0] ? JSON.stringify(rows[0]) : null
}

/** The signed credential. */
export async function credentialById(executor: Executor, id: string) {
  const [row] = await executor
    .select({ credential: certificates.credential, revokedAt: certificates.revokedAt })
    .from(certificates)
    .where(eq(certificates.id, id))
  return row ?? null
}

/** All of a person, newest first: at most as many as courses completed. */
export async function certificatesOf(executor: Executor, userId: string) {
  return executor
    .select({
      id: certificates.id,
      courseId: certificates.courseId,
      courseTitle: certificates.courseTitle,
      creatorName: certificates.creatorName,
      issuedAt: certificates.issuedAt,
      isRevoked: sql<boolean>`${certificates.revokedAt} is not null`,
    })
    .from(certificates)
    .where(eq(certificates.userId, userId))
    .orderBy(sql`${certificates.issuedAt} desc, ${certificates.id} desc`)
}

export async function certificateOfCourse(
  executor: Executor,
  { userId, courseId }: { userId: string; courseId: string },
) {
  const [row] = await executor
    .select({
      id: certificates.id,
      isRevoked: sql<boolean>`${certificates.revokedAt} is not null`,
    })
    .from(certificates)
    .where(and(eq(certificates.userId, userId), eq(certificates.courseId, courseId)))
  return row ?? null
}

type IssuedRow = Pick<
  CertificateRow,
  'id' | 'learnerName' | 'courseTitle' | 'issuedAt' | 'revokedAt' | 'revokedReason'
> & { place: string }

const issuedColumns = `k.id, k.learner_name as "learnerName", k.course_title as "courseTitle",
  k.issued_at as "issuedAt", k.revoked_at as "revokedAt", k.revoked_reason as "revokedReason",
  (extract(epoch from k.issued_at) * 1000000)::bigint::text as "place"`

const issuedFrom = ({ place: _place, revokedAt, revokedReason, ...row }: IssuedRow) => ({
  ...row,
  revoked: revokedOf({ revokedAt, revokedReason }),
})

/** A page of the certificates of a course, newest first. */
export async function issuedCertificates(pool: Pool, courseId: string, cursor?: string) {
  const [at = '', id = ''] = cursor?.split('_') ?? []
  const after = `and (k.issued_at, k.id)
    < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::uuid)`
  const { rows } = await pool.query<IssuedRow>({
    name: `issued-certificates ${cursor !== undefined}`,
    text: `select ${issuedColumns} from certificates k
            where k.course_id = $1 ${cursor === undefined ? '' : after}
            order by k.issued_at desc nulls last, k.id desc nulls last limit $2`,
    values: [courseId, perPage + 1, ...(cursor === undefined ? [] : [at, id])],
  })
  const shown = rows.slice(0, perPage)
  const last = rows.length > perPage ? shown.at(-1) : undefined
  return {
    certificates: shown.map(issuedFrom),
    nextCursor: last ? `${last.place}_${last.id}` : null,
  }
}

/** One certificate of a course; null when it is none of this course. */
export async function issuedCertificate(pool: Pool, courseId: string, certificateId: string) {
  const { rows } = await pool.query<IssuedRow>(
    `select ${issuedColumns} from certificates k where k.id = $1 and k.course_id = $2`,
    [certificateId, courseId],
  )
  return rows[0] ? issuedFrom(rows[0]) : null
}

/** Ids of all whose credential is revoked, in the order in which they were. */
export async function revokedIds(executor: Executor): Promise<string[]> {
  const rows = await executor
    .select({ id: revokedCredentials.id })
    .from(revokedCredentials)
    .orderBy(revokedCredentials.revokedAt, revokedCredentials.id)
  return rows.map(({ id }) => id)
}
