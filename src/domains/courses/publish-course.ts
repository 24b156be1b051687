import { and, eq, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { openingObstacle } from './opening-rules.ts'
import { courses } from './tables.ts'

type Own = { courseId: string; instructorId: string }

const own = ({ courseId, instructorId }: Own) =>
  and(eq(courses.id, courseId), eq(courses.instructorId, instructorId))

type Publication = 'published' | 'no lessons' | 'gone' | { obstacle: string }

/** Shows the course to everybody. The first publication gives it its date. */
export async function publishCourse(transaction: Transaction, course: Own): Promise<Publication> {
  const [terms] = await transaction
    .select({
      lessonsCount: courses.lessonsCount,
      pricingType: courses.pricingType,
    })
    .from(courses)
    .where(own(course))
    .for('no key update')
  if (!terms) return 'gone'
  if (terms.lessonsCount === 0) return 'no lessons'
  const obstacle = openingObstacle(terms)
  if (obstacle) return { obstacle }
  await transaction
    .update(courses)
    .set({
      status: 'published',
      publishedAt: sql`coalesce(${courses.publishedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(own(course))
  return 'published'
}

/** Makes the course a draft again: only its members and its instructor see it. */
export async function unpublishCourse(executor: Executor, course: Own): Promise<void> {
  await executor
    .update(courses)
    .set({ status: 'draft', updatedAt: sql`now()` })
    .where(own(course))
}
