import { row } from '../../contract-row.ts'
import { byCourseId } from '../courses/schema.ts'
import { applicationQuestions, applicationQuestionsSave } from './schema.ts'

export const applications = {
  /** For everybody who may see the course: who applies reads them before. */
  getApplicationQuestions: row(
    'signedIn',
    'GET',
    '/rest/v1/courses/{courseId}/application-questions',
    'What an applicant is asked',
  )
    .input(byCourseId)
    .output(applicationQuestions),

  saveApplicationQuestions: row(
    'instructor',
    'PUT',
    '/rest/v1/courses/{courseId}/application-questions',
    'Save what an applicant is asked',
  )
    .input(applicationQuestionsSave)
    .output(applicationQuestions),
}
