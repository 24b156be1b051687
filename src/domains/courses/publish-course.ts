import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { users } from '../accounts/tables.ts'
import { suspensions } from '../administration/tables.ts'
import { keepEvent } from '../webhooks/keep-event.ts'
import { courses } from './tables.ts'

type Own = { courseId: string; instructorId: string }

const own = ({ courseId, instructorId }: Own) =>
  and(eq(courses.id, courseId), eq(courses.instructorId, instructorId))

type Publication = 'published' | 'no lessons' | 'suspended' | 'gone'

/** Shows the course to everybody. The first publication gives it its date. */
export async function publishCourse(transaction: Transaction, course: Own): Promise<Publication> {
  // Who suspends the creator at this moment comes before or after, and people come before courses.
  const [creator] = await transaction
    .select({ suspendedAt: users.suspendedAt })
    .from(users)
    .where(eq(users.id, course.instructorId))
    .for('share')
  if (creator?.suspendedAt) return 'suspended'
  const [content] = await transaction
    .select({
      status: courses.status,
      lessonsCount: courses.lessonsCount,
      suspendedAt: courses.suspendedAt,
    })
    .from(courses)
    .where(own(course))
    .for('no key update')
  if (!content) return 'gone'
  if (content.suspendedAt) return 'suspended'
  if (content.lessonsCount === 0) return 'no lessons'
  await transaction
    .update(courses)
    .set({
      status: 'published',
      publishedAt: sql`coalesce(${courses.publishedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(own(course))
  if (content.status === 'draft') {
    await keepEvent(transaction, { type: 'course.published', courseId: course.courseId })
  }
  return 'published'
}

/** Makes the course a draft again: only its members and its instructor see it. */
export async function unpublishCourse(transaction: Transaction, course: Own): Promise<void> {
  await transaction
    .update(courses)
    .set({ status: 'draft', updatedAt: sql`now()` })
    .where(own(course))
  // One that is suspended stays a draft when that is lifted.
  await transaction
    .update(suspensions)
    .set({ wasPublished: false })
    .where(and(eq(suspensions.courseId, course.courseId), isNull(suspensions.liftedAt)))
}
