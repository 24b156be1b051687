import { and, eq, gt, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { courses } from './tables.ts'

type Own = { courseId: string; instructorId: string }

const own = ({ courseId, instructorId }: Own) =>
  and(eq(courses.id, courseId), eq(courses.instructorId, instructorId))

/** Shows the course to everybody. False when it has no lesson. The first publication gives it its date. */
export async function publishCourse(executor: Executor, course: Own): Promise<boolean> {
  const published = await executor
    .update(courses)
    .set({
      status: 'published',
      publishedAt: sql`coalesce(${courses.publishedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(and(own(course), gt(courses.lessonsCount, 0)))
    .returning({ id: courses.id })
  return published.length === 1
}

/** Makes the course a draft again: only its members and its instructor see it. */
export async function unpublishCourse(executor: Executor, course: Own): Promise<void> {
  await executor
    .update(courses)
    .set({ status: 'draft', updatedAt: sql`now()` })
    .where(own(course))
}
