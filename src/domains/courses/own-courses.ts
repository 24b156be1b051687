import { asc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { courses } from './tables.ts'

/** A person's own courses with the number of their members, the person not counted. */
export async function ownCourses(executor: Executor, userId: string) {
  return executor
    .select({
      id: courses.id,
      slug: courses.slug,
      title: courses.title,
      thumbnailId: courses.thumbnailId,
      membersCount: sql<number>`(select count(*)::int from enrollments e
                                  where e.course_id = courses.id and e.user_id <> ${userId})`,
    })
    .from(courses)
    .where(eq(courses.instructorId, userId))
    .orderBy(asc(courses.createdAt), asc(courses.id))
}
