import { and, eq, exists, or, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import { lessonCompletions, lessonPositions } from '../lessons/tables.ts'
import { purchases } from '../purchases/tables.ts'
import { mostInMenu } from './rules.ts'
import { enrollments } from './tables.ts'

/** Slugs and titles of the courses a person is enrolled in, newest first, for the header's menu, and one more than it has: JSON in SQL. */
export const enrolledTitles = (person: string) => `coalesce((
  select json_agg(json_build_object('slug', slug, 'title', title) order by enrolled_at desc)
    from (select c.slug, c.title, e.enrolled_at
            from enrollments e join courses c on c.id = e.course_id
           where e.user_id = ${person} order by e.enrolled_at desc limit ${mostInMenu + 1}) as newest), '[]')`

/** Whether this person is in the course now. */
export async function isEnrolled(
  executor: Executor,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<boolean> {
  const rows = await executor
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
  return rows.length > 0
}

const terms = {
  title: courses.title,
  status: courses.status,
  pricingType: courses.pricingType,
  applicationRequired: courses.applicationRequired,
  studentsCount: courses.studentsCount,
}

/** What decides whether a course can be joined. */
export async function joinTerms(executor: Executor, courseId: string) {
  const [row] = await executor.select(terms).from(courses).where(eq(courses.id, courseId))
  return row ?? null
}

/** The same for who joins: it stays so until the transaction ends. */
export async function holdJoinTerms(transaction: Transaction, courseId: string) {
  const [row] = await transaction
    .select(terms)
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update')
  return row ?? null
}

/** Whether this person has been in the course for sure: bought it, completed a lesson of it or watched one. */
export async function hasBeenIn(
  executor: Executor,
  { userId, courseId }: { userId: string; courseId: string },
): Promise<boolean> {
  const inIt = (table: typeof purchases | typeof lessonCompletions | typeof lessonPositions) =>
    exists(
      executor
        .select({ found: sql`1` })
        .from(table)
        .where(and(eq(table.userId, userId), eq(table.courseId, courseId))),
    )
  const [row] = await executor
    .select({ id: courses.id })
    .from(courses)
    .where(
      and(
        eq(courses.id, courseId),
        or(inIt(purchases), inIt(lessonCompletions), inIt(lessonPositions)),
      ),
    )
  return row !== undefined
}
