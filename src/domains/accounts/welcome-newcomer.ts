import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { enqueue } from '../../server/jobs.ts'
import type { Db, Transaction } from '../../server/db.ts'
import { quotedTitle } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { enrollStudent } from '../enrollment/enroll-student.ts'
import { notify } from '../notifications/notify.ts'
import { flagshipCourseId } from '../site/flagship.ts'
import { freeUsername } from './claim-username.ts'
import { users } from './tables.ts'

class CourseFull extends Error {}

/**
 * What every new account gets, once: a username, a place in the flagship course, a notice and a mail.
 * Called after sign-up and again at the next request if the process ended in between. Sign-up never
 * fails over the enrollment.
 */
export async function welcomeNewcomer(db: Db, userId: string): Promise<void> {
  await db.transaction(async (transaction) => {
    const [user] = await transaction
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.welcomedAt)))
      .for('update')
    if (!user) return
    await transaction
      .update(users)
      .set({ username: await freeUsername(transaction, user), welcomedAt: sql`now()` })
      .where(eq(users.id, userId))
    const joined = await joinFirstCourse(transaction, userId)
    await notify(transaction, {
      userId,
      kind: 'welcome',
      title: 'Welcome to Thunder Bootcamp!',
      message: welcomeWords(joined),
      href: joined ? `/course/${joined.slug}/continue` : '/explore',
    })
    await enqueue(transaction, 'sendWelcomeMail', { userId }, `welcome ${userId}`)
  })
}

interface FirstCourse {
  slug: string
  title: string
  isFlagship: boolean
}

function welcomeWords(joined: FirstCourse | null): string {
  if (!joined) return 'Your account is ready. Find a course to begin with, or make one of your own.'
  const course = joined.isFlagship ? 'our starter course' : quotedTitle(joined.title)
  return `You have been enrolled in ${course}. Open it from your dashboard whenever you like.`
}

/** The flagship, else the oldest published free course; never one that wants an application first. Null when there is no place in any. */
async function joinFirstCourse(
  transaction: Transaction,
  userId: string,
): Promise<FirstCourse | null> {
  const flagshipId = await flagshipCourseId(transaction)
  const course =
    (flagshipId && (await oldestCourse(transaction, eq(courses.id, flagshipId)))) ||
    (await oldestCourse(transaction, eq(courses.pricingType, 'free')))
  if (!course) return null
  const { slug, title, ...joining } = course
  try {
    await transaction.transaction(async (savepoint) => {
      if ((await enrollStudent(savepoint, { userId, ...joining })) === 'full')
        throw new CourseFull()
    })
    return { slug, title, isFlagship: joining.courseId === flagshipId }
  } catch (error) {
    if (!(error instanceof CourseFull)) throw error
    return null
  }
}

async function oldestCourse(transaction: Transaction, which: SQL) {
  const [course] = await transaction
    .select({
      courseId: courses.id,
      slug: courses.slug,
      title: courses.title,
      instructorId: courses.instructorId,
    })
    .from(courses)
    .where(and(which, eq(courses.status, 'published'), eq(courses.applicationRequired, false)))
    .orderBy(asc(courses.createdAt))
    .limit(1)
  return course
}
