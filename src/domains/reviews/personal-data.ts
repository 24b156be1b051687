import { eq, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { recountReviews } from '../courses/recount-reviews.ts'
import { courseReviews } from './tables.ts'

export const reviewsData: PersonalData = {
  tables: {
    reviews: personalTable(courseReviews, {
      about: 'What you wrote about courses.',
      rowsOf: ({ id }) => eq(courseReviews.userId, id),
      columns: {
        id: 'exported',
        courseId: 'exported',
        userId: { withheld: 'always you' },
        rating: 'exported',
        reviewText: 'exported',
        createdAt: 'exported',
        editedAt: 'exported',
        answer: { withheld: 'written by the instructor of the course' },
        answeredAt: { withheld: 'says when somebody else wrote' },
      },
      also: {
        courseTitle: sql`(select c.title from courses c where c.id = course_reviews.course_id)`,
      },
      onDeletion: 'deleted',
    }),
  },

  async consequences(executor, { id }) {
    const total = await executor.$count(courseReviews, eq(courseReviews.userId, id))
    if (total === 0) return []
    const what = total === 1 ? 'Your review is' : `Your ${total} reviews are`
    return [{ text: `${what} deleted, with the answers.`, stays: false }]
  },

  /** The courses are locked already (`holdCourses`). */
  async leave(transaction, { person }) {
    const gone = await transaction
      .delete(courseReviews)
      .where(eq(courseReviews.userId, person.id))
      .returning({ courseId: courseReviews.courseId })
    await recountReviews(
      transaction,
      gone.map(({ courseId }) => courseId),
    )
  },
}
