import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { flagshipSlug } from '../site/flagship.ts'
import { isUuid } from './access.ts'
import { slugOf } from './rules.ts'
import { courseSlugs } from './tables.ts'

/** Looked up at once; a title that 500 courses share takes three look-ups. */
const batch = 200

/**
 * Finds and keeps an address for a course: the title's own, else the first free of -2, -3… An address
 * that this course had before is as good as a free one. The flagship's address is never given away, and
 * a title without Latin letters, or one that looks like somebody's id, falls back to the course's id.
 */
export async function claimSlug(
  transaction: Transaction,
  courseId: string,
  title: string,
): Promise<string> {
  const base = slugOf(title)
  if (base === '' || isUuid(base)) {
    await keep(transaction, courseId, courseId)
    return courseId
  }
  // Equal titles wait in line here, so that each of them finds its number at the first attempt.
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`course slug ${base}`}, 0))`,
  )
  for (let first = 1; ; first += batch) {
    const candidates = Array.from({ length: batch }, (_, index) => numbered(base, first + index))
    const taken = await transaction
      .select({ slug: courseSlugs.slug, courseId: courseSlugs.courseId })
      .from(courseSlugs)
      .where(inArray(courseSlugs.slug, candidates))
    const ownerOf = new Map(taken.map((row) => [row.slug, row.courseId]))
    for (const slug of candidates) {
      if (slug === flagshipSlug) continue
      const owner = ownerOf.get(slug)
      if (owner === courseId) return slug
      // Another title may have claimed 'title-2' as its own since: then the next number is tried.
      if (owner === undefined && (await keep(transaction, courseId, slug))) return slug
    }
  }
}

const numbered = (base: string, number: number) => (number === 1 ? base : `${base}-${number}`)

/** False when another course has it. */
async function keep(transaction: Transaction, courseId: string, slug: string): Promise<boolean> {
  await transaction.insert(courseSlugs).values({ slug, courseId }).onConflictDoNothing()
  const [row] = await transaction
    .select({ slug: courseSlugs.slug })
    .from(courseSlugs)
    .where(and(eq(courseSlugs.slug, slug), eq(courseSlugs.courseId, courseId)))
  return row !== undefined
}

/** Gives the flagship course the address that `claimSlug` keeps for it. */
export async function claimFlagshipSlug(transaction: Transaction, courseId: string): Promise<void> {
  await transaction.insert(courseSlugs).values({ slug: flagshipSlug, courseId })
}
