import { and, eq, inArray, isNotNull, ne, notExists, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import type { Leaving } from '../../server/personal-data.ts'
import type { Services } from '../../server/services.ts'
import { addDepartedUser, departedUserId } from '../accounts/departed-user.ts'
import { enrollments } from '../enrollment/tables.ts'
import { handOverFiles } from '../media/hand-over-files.ts'
import { tellOfOpenCases } from '../moderation/tell-moderators.ts'
import { notifyMembers } from '../notifications/notify-members.ts'
import { isCanceledAlready, isForGood, stopSelling } from '../purchases/sold-courses.ts'
import { purchases } from '../purchases/tables.ts'
import { deleteCourses } from './delete-course.ts'
import { ownCourses } from './own-courses.ts'
import { withoutLightning } from './rules.ts'
import { courses } from './tables.ts'

/**
 * Locks the courses of a person who leaves, own, joined, reviewed and bought ones, in the order of their ids, so
 * that two who leave at once wait in line. Nobody joins them meanwhile (`enrollStudent` locks the course first).
 * Then the lessons of the own ones: who completes one locks the lesson before the course.
 */
export async function holdCourses(transaction: Transaction, { person }: Leaving): Promise<void> {
  await transaction.execute(sql`
    select id from courses
     where instructor_id = ${person.id}
        or id in (select course_id from enrollments where user_id = ${person.id})
        or id in (select course_id from course_reviews where user_id = ${person.id})
        or id in (select course_id from purchases where user_id = ${person.id})
     order by id for no key update`)
  await transaction.execute(sql`
    select l.id from lessons l
     where l.course_id in (select c.id from courses c where c.instructor_id = ${person.id})
     order by l.id for update`)
}

/**
 * Courses of the person that nobody else is a member of, or paid for, are deleted. The others as the person said:
 * deleted too, or kept for their members, without the person's name and out of the catalogue.
 */
export async function leaveCourses(
  transaction: Transaction,
  { person, membersCourses }: Leaving,
): Promise<void> {
  const own = await ownCourses(transaction, person.id)
  // Who paid and is not there at the moment may come back.
  const isShared = (course: (typeof own)[number]) =>
    course.membersCount > 0 || course.buyersCount > 0
  const kept = membersCourses === 'delete' ? [] : own.filter(isShared)
  const deleted = own.filter((course) => !kept.includes(course))
  for (const { id, slug, title } of kept) {
    const left = {
      courseId: id,
      instructorId: person.id,
      kind: 'creator_left',
      title: 'A creator has left',
      href: `/course/${slug}/dashboard`,
    } as const
    const name = quoted(withoutLightning(title))
    // Whoever else pays monthly is told when it stops.
    await notifyMembers(transaction, {
      ...left,
      message: `The creator of ${name} has left. The course stays open to you, with all that you did in it; it does not change any more.`,
      among: isForGood,
    })
    await notifyMembers(transaction, {
      ...left,
      message: `The creator of ${name} has left. Your access stays until the end of the period that you paid for; the course does not change any more.`,
      among: isCanceledAlready,
    })
  }
  for (const { id, title } of deleted) {
    await notifyMembers(transaction, {
      courseId: id,
      instructorId: person.id,
      kind: 'course_deleted',
      title: 'A course was deleted',
      message: `The creator of ${quoted(withoutLightning(title))} has left and deleted it.`,
    })
  }
  if (kept.length > 0) {
    await stopSelling(
      transaction,
      kept.map(({ id }) => id),
    )
    await handOver(transaction, person.id, kept)
  }
  await deleteCourses(
    transaction,
    deleted.map((course) => course.id),
  )
}

async function handOver(
  transaction: Transaction,
  userId: string,
  kept: { id: string; thumbnailId: string | null }[],
): Promise<void> {
  await addDepartedUser(transaction)
  const ids = kept.map((course) => course.id)
  await handOverFiles(transaction, {
    from: userId,
    to: departedUserId,
    courseIds: ids,
    thumbnailIds: kept.flatMap(({ thumbnailId }) => thumbnailId ?? []),
  })
  await transaction
    .update(courses)
    .set({ instructorId: departedUserId, status: 'draft', updatedAt: sql`now()` })
    .where(and(inArray(courses.id, ids), eq(courses.instructorId, userId)))
  await tellOfOpenCases(transaction, { left: ids })
}

/** A job: a course that was kept for its members goes after the last of them, and of those who may come back. */
export async function removeAbandonedCourses({ db }: Services): Promise<void> {
  await db.transaction(async (transaction) => {
    const abandoned = await transaction
      .select({ id: courses.id })
      .from(courses)
      .where(
        and(
          eq(courses.instructorId, departedUserId),
          notExists(
            transaction
              .select({ id: enrollments.id })
              .from(enrollments)
              .where(eq(enrollments.courseId, courses.id)),
          ),
          notExists(
            transaction
              .select({ id: purchases.id })
              .from(purchases)
              .where(
                and(
                  eq(purchases.courseId, courses.id),
                  ne(purchases.status, 'ended'),
                  isNotNull(purchases.userId),
                ),
              ),
          ),
        ),
      )
      .orderBy(courses.id)
      .for('update')
    await deleteCourses(
      transaction,
      abandoned.map((course) => course.id),
    )
  })
}
