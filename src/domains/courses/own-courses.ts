import { asc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { buyersOf } from '../purchases/sold-courses.ts'
import { courses } from './tables.ts'

/** A person's own courses with the numbers of their members, the person not counted, and of who paid and has it still. */
export async function ownCourses(executor: Executor, userId: string) {
  const own = await executor
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
  const buyers = await buyersOf(
    executor,
    own.map(({ id }) => id),
  )
  return own.map((course) => ({ ...course, buyersCount: buyers.get(course.id) ?? 0 }))
}
