import { api } from '../../server/api.ts'
import { courseAccess } from '../courses/access.ts'
import { touchCourse } from '../courses/touch-course.ts'
import { questionsOf } from './queries.ts'
import { saveQuestions } from './save-questions.ts'

const notFound = { message: 'Course not found' }

export const applications = {
  getApplicationQuestions: api.applications.getApplicationQuestions.handler(
    async ({ input, context, errors }) => {
      const { db } = context.services
      const course = await courseAccess(db, context.viewer, input)
      if (!course?.canSee) throw errors.NOT_FOUND(notFound)
      return { questions: await questionsOf(db, course.courseId) }
    },
  ),

  saveApplicationQuestions: api.applications.saveApplicationQuestions.handler(
    ({ input, context, errors }) => {
      const { services, course } = context
      return services.db.transaction(async (transaction) => {
        if (!(await touchCourse(transaction, course))) throw errors.NOT_FOUND(notFound)
        await saveQuestions(transaction, course.courseId, input.questions)
        return { questions: await questionsOf(transaction, course.courseId) }
      })
    },
  ),
}
