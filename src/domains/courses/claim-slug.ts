import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { firstFreeName } from '../../server/first-free-name.ts'
import { flagshipSlug } from '../site/flagship.ts'
import { isUuid } from './access.ts'
import { slugOf } from './rules.ts'
import { courseSlugs } from './tables.ts'

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
  for (;;) {
    const slug = await firstFreeName(base, async (candidates) => {
      const others = await transaction
        .select({ slug: courseSlugs.slug })
        .from(courseSlugs)
        .where(and(inArray(courseSlugs.slug, candidates), ne(courseSlugs.courseId, courseId)))
      return [flagshipSlug, ...others.map((row) => row.slug)]
    })
    // Another title may have claimed 'title-2' as its own since: then the next number is tried.
    if (await keep(transaction, courseId, slug)) return slug
  }
}

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
