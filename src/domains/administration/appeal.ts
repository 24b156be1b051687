import { and, eq, isNotNull, isNull, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { lockPeople } from '../accounts/lock-people.ts'
import { users } from '../accounts/tables.ts'
import { withoutLightning } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { holdForAct } from './hold-for-act.ts'
import { type Lifted, liftSuspension } from './lift-suspension.ts'
import { recordAct } from './record-act.ts'
import { suspensions } from './tables.ts'
import { tellOfAppeal, tellOfRefusal } from './tell-of-suspension.ts'

/** Whose suspension is appealed against. */
type Subject = { userId: string } | { courseId: string; instructorId: string }

const openOf = (subject: Subject): SQL =>
  and(
    'userId' in subject
      ? eq(suspensions.userId, subject.userId)
      : and(
          eq(suspensions.courseId, subject.courseId),
          sql`exists (select 1 from courses c where c.id = ${subject.courseId}
                                             and c.instructor_id = ${subject.instructorId})`,
        ),
    isNull(suspensions.liftedAt),
    isNull(suspensions.becauseOf),
  )!

/** Once for each suspension, also when it is sent twice at once. Answers what stood in the way. */
export async function appeal(
  transaction: Transaction,
  subject: Subject,
  text: string,
): Promise<'not suspended' | 'appealed already' | null> {
  const person = 'userId' in subject ? subject.userId : subject.instructorId
  await lockPeople(transaction, [person])
  const appealed = await transaction
    .update(suspensions)
    .set({ appeal: text, appealedAt: sql`now()` })
    .where(and(openOf(subject), isNull(suspensions.appealedAt)))
    .returning({ id: suspensions.id })
  if (appealed.length > 0) {
    await tellOfAppeal(transaction, 'userId' in subject ? 'an account' : 'a course')
    return null
  }
  const open = await transaction.$count(suspensions, openOf(subject))
  return open > 0 ? 'appealed already' : 'not suspended'
}

interface Answer {
  actorId: string
  suspensionId: string
  decision: 'grant' | 'refuse'
  answer: string
}

/** Whoever is neither of these two could decide. */
async function isAnotherThere(transaction: Transaction, actorId: string, personId: string) {
  const [another] = await transaction
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.role, 'admin'),
        isNull(users.suspendedAt),
        notInArray(users.id, [actorId, personId]),
      ),
    )
    .limit(1)
  return another !== undefined
}

/**
 * An appeal is granted, which lifts the suspension, or refused with an answer; once. Whoever suspended may give in, but
 * says no a second time only where nobody else could look at it.
 */
export async function answerAppeal(
  transaction: Transaction,
  given: Answer,
): Promise<Lifted | 'no appeal' | 'own decision'> {
  const { actorId, suspensionId, decision, answer } = given
  const [seen] = await transaction
    .select({
      userId: suspensions.userId,
      suspendedBy: suspensions.suspendedBy,
      courseId: suspensions.courseId,
      appealedAt: suspensions.appealedAt,
      answeredAt: suspensions.appealAnsweredAt,
      liftedAt: suspensions.liftedAt,
      title: courses.title,
      slug: courses.slug,
      instructorId: courses.instructorId,
    })
    .from(suspensions)
    .leftJoin(courses, eq(courses.id, suspensions.courseId))
    .where(eq(suspensions.id, suspensionId))
  if (!seen) return 'gone'
  const personId = seen.userId ?? seen.instructorId!
  const people = await holdForAct(transaction, actorId, [personId])
  if (!people) return 'not admin'
  const waiting = and(
    eq(suspensions.id, suspensionId),
    isNotNull(suspensions.appealedAt),
    isNull(suspensions.appealAnsweredAt),
    isNull(suspensions.liftedAt),
  )
  // Whoever is second waited for the people above, and finds it answered.
  if ((await transaction.$count(suspensions, waiting)) === 0) return 'no appeal'
  if (decision === 'grant') {
    return liftSuspension(transaction, { actorId, suspensionId, note: answer, onAppeal: true })
  }
  if (seen.suspendedBy === actorId && (await isAnotherThere(transaction, actorId, personId))) {
    return 'own decision'
  }
  await transaction
    .update(suspensions)
    .set({ appealAnswer: answer, appealAnsweredAt: sql`now()` })
    .where(waiting)
  const course = seen.courseId
    ? { id: seen.courseId, title: withoutLightning(seen.title!), slug: seen.slug! }
    : undefined
  await recordAct(transaction, {
    actorId,
    action: 'refuse_appeal',
    subject: course
      ? { kind: 'course', id: course.id, name: course.title }
      : { kind: 'account', id: personId, name: people.get(personId)!.name },
    reason: answer,
  })
  await tellOfRefusal(transaction, { userId: personId, answer, course })
  return null
}
