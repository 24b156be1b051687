import { and, count, eq, isNull, or, sql } from 'drizzle-orm'
import { type PersonalData, type Person, personalTable } from '../../server/personal-data.ts'
import { releaseCourses } from '../courses/stop-course.ts'
import { administrativeActs, announcements, suspensions } from './tables.ts'

const aboutAccount = ({ id }: Person) =>
  and(eq(administrativeActs.subjectKind, 'account'), eq(administrativeActs.subjectId, id))!

const ofOwnCourses = ({ id }: Person) =>
  sql`suspensions.course_id in (select c.id from courses c where c.instructor_id = ${id})`

export const administrationData: PersonalData = {
  tables: {
    suspensions: personalTable(suspensions, {
      about: 'When your account or a course of yours was suspended, why, and your appeal.',
      rowsOf: (person) => or(eq(suspensions.userId, person.id), ofOwnCourses(person))!,
      columns: {
        id: 'exported',
        userId: { withheld: 'you, or the creator of the course, who are you' },
        courseId: 'exported',
        becauseOf: 'exported',
        wasPublished: 'exported',
        reason: 'exported',
        suspendedBy: { withheld: 'which administrator it was is told to administrators only' },
        createdAt: 'exported',
        appeal: 'exported',
        appealedAt: 'exported',
        appealAnswer: 'exported',
        appealAnsweredAt: 'exported',
        liftedAt: 'exported',
        liftedBy: { withheld: 'which administrator it was is told to administrators only' },
      },
      also: {
        courseTitle: sql`(select c.title from courses c where c.id = suspensions.course_id)`,
      },
      onDeletion: 'deleted',
    }),

    administrativeActs: personalTable(administrativeActs, {
      about: 'What administrators did with your account, and what you did as one.',
      rowsOf: (person) => or(eq(administrativeActs.actorId, person.id), aboutAccount(person))!,
      columns: {
        id: 'exported',
        actorId: { withheld: 'which administrator it was is told to administrators only' },
        action: 'exported',
        subjectKind: 'exported',
        subjectId: 'exported',
        subjectName: { withheld: 'can be the name of somebody else' },
        reason: 'exported',
        details: 'exported',
        createdAt: 'exported',
      },
      // The log stays, for nobody can change it; without a name, an id or who did it.
      onDeletion: 'anonymised',
    }),

    announcements: personalTable(announcements, {
      about: 'What you announced as an administrator.',
      rowsOf: ({ id }) => eq(announcements.announcedBy, id),
      columns: {
        id: 'exported',
        title: 'exported',
        message: 'exported',
        href: 'exported',
        audience: 'exported',
        announcedBy: { withheld: 'always you' },
        createdAt: 'exported',
        toldCount: 'exported',
        toldUpTo: { withheld: 'the id of somebody else, while people are being told' },
        finishedAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
  },

  async consequences(executor, person) {
    const [acts] = await executor
      .select({ total: count() })
      .from(administrativeActs)
      .where(or(eq(administrativeActs.actorId, person.id), aboutAccount(person)))
    if (!acts?.total) return []
    return [
      {
        text: 'The log of what administrators did keeps that something was done, without your name.',
        stays: true,
      },
    ]
  },

  /** Before the courses are handed over: they wait for nobody's account any more, and stay drafts. */
  async leave(transaction, { person }) {
    const own = await transaction
      .select({ courseId: suspensions.courseId })
      .from(suspensions)
      .where(and(ofOwnCourses(person), isNull(suspensions.liftedAt)))
    await releaseCourses(
      transaction,
      own.map(({ courseId }) => ({ courseId: courseId!, wasPublished: false })),
    )
    await transaction
      .delete(suspensions)
      .where(or(eq(suspensions.userId, person.id), ofOwnCourses(person)))
    await transaction
      .update(administrativeActs)
      .set({ subjectId: null, subjectName: '' })
      .where(aboutAccount(person))
  },
}
