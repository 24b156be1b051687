import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { publishToPerson } from '../../server/publish.ts'
import { courses } from '../courses/tables.ts'
import {
  courseApplicationAnswers,
  courseApplicationDecisions,
  courseApplicationQuestions,
  courseApplications,
} from './tables.ts'
import { tellWaiting } from './tell-waiting.ts'

export const applicationsData: PersonalData = {
  tables: {
    applicationQuestions: personalTable(courseApplicationQuestions, {
      about: 'What you ask those who apply to a course of yours.',
      rowsOf: ({ id }) => sql`course_application_questions.course_id in
                              (select c.id from courses c where c.instructor_id = ${id})`,
      columns: {
        id: 'exported',
        courseId: 'exported',
        question: 'exported',
        required: 'exported',
        orderIndex: 'exported',
      },
      // They stay with a course that is kept for its members, and go with one that is not.
      onDeletion: 'anonymised',
    }),

    applicationDecisions: personalTable(courseApplicationDecisions, {
      about: 'What you decided lately about several applications at once.',
      rowsOf: ({ id }) => sql`course_application_decisions.course_id in
                              (select c.id from courses c where c.instructor_id = ${id})`,
      columns: {
        id: 'exported',
        courseId: 'exported',
        decision: 'exported',
        reviewerNotes: 'exported',
        notesShared: 'exported',
        applyAt: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),

    applications: personalTable(courseApplications, {
      about: 'Your applications to courses.',
      rowsOf: ({ id }) => eq(courseApplications.userId, id),
      columns: {
        id: 'exported',
        courseId: 'exported',
        userId: { withheld: 'always you' },
        status: 'exported',
        submittedAt: 'exported',
        reviewedAt: 'exported',
        reviewerNotes: { withheld: 'written by the instructor; given as sharedNotes if shared' },
        notesShared: { withheld: 'says whether the instructor wrote something' },
        decisionId: { withheld: 'nothing is decided before the instructor cannot take it back' },
        invitationId: 'exported',
      },
      also: {
        courseTitle: sql`(select c.title from courses c where c.id = course_applications.course_id)`,
        sharedNotes: sql`case when course_applications.notes_shared
                              then course_applications.reviewer_notes end`,
      },
      onDeletion: 'deleted',
    }),

    applicationAnswers: personalTable(courseApplicationAnswers, {
      about: 'What you answered in applications to courses.',
      rowsOf: ({ id }) => sql`course_application_answers.application_id in
                              (select a.id from course_applications a where a.user_id = ${id})`,
      columns: {
        id: 'exported',
        applicationId: 'exported',
        questionId: { withheld: 'the question itself is beside it' },
        question: 'exported',
        required: 'exported',
        orderIndex: 'exported',
        answer: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },

  async consequences(executor, { id }) {
    const [written] = await executor
      .select({ total: count() })
      .from(courseApplications)
      .where(eq(courseApplications.userId, id))
    const total = written?.total ?? 0
    if (total === 0) return []
    const what = total === 1 ? 'Your application to a course is' : `Your ${total} applications are`
    return [{ text: `${what} deleted, with the answers.`, stays: false }]
  },

  /** The own courses are locked already (`holdCourses`). */
  async leave(transaction, { person }) {
    const gone = await transaction
      .delete(courseApplications)
      .where(eq(courseApplications.userId, person.id))
      .returning({ courseId: courseApplications.courseId, status: courseApplications.status })
    const waiting = gone.filter(({ status }) => status === 'pending')
    const instructors = await transaction
      .select({ courseId: courses.id, instructorId: courses.instructorId })
      .from(courses)
      .where(
        inArray(
          courses.id,
          waiting.map(({ courseId }) => courseId),
        ),
      )
    for (const { courseId, instructorId } of instructors) {
      await publishToPerson(transaction, instructorId, { type: 'applications', courseId })
    }
    // A course that is kept for its members has nobody who could decide; the others go after this.
    const waitedFor = await transaction
      .selectDistinct({ courseId: courses.id, title: courses.title })
      .from(courses)
      .innerJoin(courseApplications, eq(courseApplications.courseId, courses.id))
      .where(and(eq(courses.instructorId, person.id), eq(courseApplications.status, 'pending')))
    for (const course of waitedFor) await tellWaiting(transaction, course)
    const own = transaction
      .select({ id: courses.id })
      .from(courses)
      .where(eq(courses.instructorId, person.id))
    await transaction
      .delete(courseApplications)
      .where(
        and(inArray(courseApplications.courseId, own), eq(courseApplications.status, 'pending')),
      )
    await transaction
      .update(courseApplications)
      .set({ reviewerNotes: '', notesShared: false })
      .where(inArray(courseApplications.courseId, own))
    await transaction
      .delete(courseApplicationDecisions)
      .where(inArray(courseApplicationDecisions.courseId, own))
  },
}
