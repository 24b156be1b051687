import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { markAccount } from '../accounts/mark-account.ts'
import { withoutLightning } from '../courses/rules.ts'
import { releaseCourses } from '../courses/stop-course.ts'
import { courses } from '../courses/tables.ts'
import { holdForAct } from './hold-for-act.ts'
import { recordAct } from './record-act.ts'
import { holdCourseForAct } from './suspend-course.ts'
import { suspensions } from './tables.ts'
import { tellOfLifting } from './tell-of-suspension.ts'

/** What stood in the way; null when it is lifted. */
export type Lifted = 'not admin' | 'gone' | 'lifted already' | 'comes with the account' | null

interface Lifting {
  actorId: string
  suspensionId: string
  /** For the person and the log; may be empty. */
  note: string
  /** Because of the appeal against it. */
  onAppeal?: boolean
}

const openOnes = (which: ReturnType<typeof eq>) => and(which, isNull(suspensions.liftedAt))

/** Ends a suspension: what it stopped is as before, and courses that were published are published. */
export async function liftSuspension(transaction: Transaction, lifting: Lifting): Promise<Lifted> {
  const [seen] = await transaction
    .select()
    .from(suspensions)
    .where(eq(suspensions.id, lifting.suspensionId))
  if (!seen) return 'gone'
  if (seen.becauseOf) return 'comes with the account'
  return seen.userId
    ? liftAccount(transaction, lifting, seen.userId)
    : liftCourse(transaction, lifting, seen.courseId!)
}

/** What the suspension says by now; null when somebody else was faster. */
async function markLifted(
  transaction: Transaction,
  { suspensionId, actorId, onAppeal, note }: Lifting,
): Promise<{ wasPublished: boolean } | null> {
  const answer = onAppeal ? { appealAnswer: note, appealAnsweredAt: sql`now()` } : {}
  const lifted = await transaction
    .update(suspensions)
    .set({ liftedAt: sql`now()`, liftedBy: actorId, ...answer })
    .where(openOnes(eq(suspensions.id, suspensionId)))
    .returning({ wasPublished: suspensions.wasPublished })
  return lifted[0] ?? null
}

async function liftAccount(
  transaction: Transaction,
  lifting: Lifting,
  userId: string,
): Promise<Lifted> {
  const { actorId, suspensionId, note, onAppeal } = lifting
  const people = await holdForAct(transaction, actorId, [userId])
  if (!people) return 'not admin'
  const person = people.get(userId)
  if (!person) return 'gone'
  const stopped = await transaction
    .select({ courseId: suspensions.courseId, wasPublished: suspensions.wasPublished })
    .from(suspensions)
    .where(openOnes(eq(suspensions.becauseOf, suspensionId)))
  const { withoutLessons } = await releaseCourses(
    transaction,
    stopped.map(({ courseId, wasPublished }) => ({ courseId: courseId!, wasPublished })),
  )
  if (!(await markLifted(transaction, lifting))) return 'lifted already'
  await transaction
    .update(suspensions)
    .set({ liftedAt: sql`now()`, liftedBy: actorId })
    .where(openOnes(eq(suspensions.becauseOf, suspensionId)))
  await markAccount(transaction, userId, { suspended: false })
  await recordAct(transaction, {
    actorId,
    action: onAppeal ? 'grant_appeal' : 'lift_account',
    subject: { kind: 'account', id: userId, name: person.name },
    reason: note,
    details: { courses: stopped.length, ...(withoutLessons > 0 && { withoutLessons }) },
  })
  const stayStopped = await countStopped(transaction, { userId, suspensionId })
  await tellOfLifting(transaction, { userId, note, onAppeal, withoutLessons, stayStopped })
  return null
}

/** How many courses of this person were suspended for themselves after the account, and are still. */
async function countStopped(
  transaction: Transaction,
  { userId, suspensionId }: { userId: string; suspensionId: string },
): Promise<number> {
  const [counted] = await transaction
    .select({ total: count() })
    .from(suspensions)
    .innerJoin(courses, eq(courses.id, suspensions.courseId))
    .where(
      and(
        openOnes(eq(courses.instructorId, userId)),
        isNull(suspensions.becauseOf),
        gt(
          suspensions.createdAt,
          sql`(select created_at from suspensions where id = ${suspensionId})`,
        ),
      ),
    )
  return counted!.total
}

async function liftCourse(
  transaction: Transaction,
  lifting: Lifting,
  courseId: string,
): Promise<Lifted> {
  const { actorId, note, onAppeal } = lifting
  const held = await holdCourseForAct(transaction, { actorId, courseId })
  if (typeof held === 'string') return held
  const { course, creator } = held
  // Read with the course held: its creator may have taken it back meanwhile.
  const lifted = await markLifted(transaction, lifting)
  if (!lifted) return 'lifted already'
  const { wasPublished } = lifted
  const [ofCreator] = wasPublished
    ? await transaction
        .select({ id: suspensions.id, reason: suspensions.reason })
        .from(suspensions)
        .where(openOnes(eq(suspensions.userId, creator.id)))
    : []
  let withoutLessons = 0
  if (ofCreator) {
    // It would be public now, if its creator's account were: from here on it waits for that.
    await transaction.insert(suspensions).values({
      courseId,
      reason: ofCreator.reason,
      suspendedBy: actorId,
      becauseOf: ofCreator.id,
      wasPublished: true,
    })
  } else {
    const released = [{ courseId, wasPublished }]
    withoutLessons = (await releaseCourses(transaction, released)).withoutLessons
  }
  const title = withoutLightning(course.title)
  await recordAct(transaction, {
    actorId,
    action: onAppeal ? 'grant_appeal' : 'lift_course',
    subject: { kind: 'course', id: courseId, name: title },
    reason: note,
    details: {
      wasPublished,
      waitsForAccount: Boolean(ofCreator),
      ...(withoutLessons > 0 && { withoutLessons }),
    },
  })
  const told = { slug: course.slug, title, wasPublished: wasPublished && !ofCreator }
  await tellOfLifting(transaction, {
    userId: creator.id,
    note,
    onAppeal,
    course: told,
    waitsForAccount: Boolean(ofCreator),
    withoutLessons,
  })
  return null
}
