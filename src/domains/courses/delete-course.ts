import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { sayingToEach } from '../../server/publish.ts'
import { tellWaiting } from '../applications/tell-waiting.ts'
import { takeBackAnnouncements } from '../community/take-back-announcement.ts'
import { deleteFilesOfCourses } from '../media/delete-files.ts'
import { notifyMembers } from '../notifications/notify-members.ts'
import { buyersOf, endGivenAway } from '../purchases/sold-courses.ts'
import { isFlagshipCourse } from '../site/flagship.ts'
import { quotedTitle } from './rules.ts'
import { courses } from './tables.ts'

type Own = { courseId: string; instructorId: string }

/**
 * The title of the course, which nobody joins, saves or completes lessons of until the transaction ends.
 * Null when it is not this instructor's. (Its lessons are locked after it and before it goes: who
 * completes one holds the lesson and then needs the course.)
 */
export async function holdCourse(
  transaction: Transaction,
  { courseId, instructorId }: Own,
): Promise<string | null> {
  const [course] = await transaction
    .select({ title: courses.title })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.instructorId, instructorId)))
    .for('no key update')
  if (!course) return null
  await transaction.execute(
    sql`select id from lessons where course_id = ${courseId} order by id for update`,
  )
  return course.title
}

interface DeletionFacts {
  /** Somebody who paid for it has it still. */
  hasBuyers: boolean
  /** All of the discussion, also those that wait and those that are hidden. */
  postsCount: number
  /** Why it cannot be deleted, in words for people. */
  obstacle: string | null
}

/** What is asked, and said, before a course is deleted. */
export async function deletionFacts(executor: Executor, courseId: string): Promise<DeletionFacts> {
  const [course] = await executor
    .select({
      isFlagship: isFlagshipCourse(courseId),
      postsCount: sql<number>`(select count(*)::int from posts p where p.course_id = ${courseId}::uuid)`,
    })
    .from(courses)
    .where(eq(courses.id, courseId))
  const { isFlagship = false, postsCount = 0 } = course ?? {}
  const buyers = (await buyersOf(executor, [courseId])).get(courseId) ?? 0
  const hasBuyers = buyers > 0
  if (isFlagship) return { hasBuyers, postsCount, obstacle: isStarter }
  if (!hasBuyers) return { hasBuyers, postsCount, obstacle: null }
  const who = buyers === 1 ? '1 person has' : `${buyers.toLocaleString('en-US')} people have`
  return {
    hasBuyers,
    postsCount,
    obstacle: `${who} paid for this course, so it cannot be deleted. Unpublish it instead: nobody new can buy it, and those who paid keep it.`,
  }
}

const isStarter =
  'This is the starter course, which everybody who signs up joins. It cannot be deleted.'

/** Why a course cannot be deleted, in words for people; null when it can. */
export const deletionObstacle = async (executor: Executor, courseId: string) =>
  (await deletionFacts(executor, courseId)).obstacle

/** Deletes a course that `holdCourse` holds, and leaves a notice for its members and for those who applied. */
export async function deleteCourse(
  transaction: Transaction,
  { courseId, instructorId, title }: Own & { title: string },
): Promise<void> {
  await notifyMembers(transaction, {
    courseId,
    instructorId,
    kind: 'course_deleted',
    title: 'A course was deleted',
    message: `${quotedTitle(title)} was deleted by its creator.`,
  })
  await tellWaiting(transaction, { courseId, title })
  await deleteCourses(transaction, [courseId])
}

/** Deletes courses with all that hangs on them; their files go when the transaction has committed. */
export async function deleteCourses(transaction: Transaction, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await tellOfEnd(transaction, ids)
  await endGivenAway(transaction, ids)
  await takeBackAnnouncements(transaction, sql`p.course_id = any(${sql.param(ids)}::uuid[])`)
  await deleteFilesOfCourses(transaction, ids)
  await transaction.delete(courses).where(inArray(courses.id, ids))
}

/** To open pages of all who are in these courses, the creator as well: what they keep of it goes. */
async function tellOfEnd(transaction: Transaction, ids: string[]): Promise<void> {
  const ended = sql`
    select user_id, jsonb_build_object('type', 'accessEnded', 'courseId', course_id) as event
      from enrollments where course_id = any(${sql.param(ids)}::uuid[])`
  await transaction.execute(sql`with ${sayingToEach(ended)} select count(*) from said`)
}
