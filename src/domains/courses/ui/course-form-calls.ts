// What the course form checks, and what it says to the server. Loaded after the page.
import { zodResolver } from '@hookform/resolvers/zod'
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { plainText } from '../../lessons/rich-text.ts'
import { courseForm, type CourseForm } from '../schema.ts'
import { callProblem } from './call-problem.ts'

/** The description is required (spec 1, section 5), also when it holds formats but no words. */
const formSchema = courseForm.extend({
  description: courseForm.shape.description.refine(
    (description) => plainText(description) !== '',
    'Description is required',
  ),
})

export const checkCourse = zodResolver(formSchema)

/** Changes the course with this id, or makes a new one. */
export async function saveCourse(
  courseId: string | undefined,
  form: CourseForm,
): Promise<{ id: string } | { problem: string }> {
  const [error, saved] = await safe(
    courseId
      ? client.courses.updateCourse({ ...form, courseId })
      : client.courses.createCourse(form),
  )
  return error
    ? { problem: callProblem(error, 'Failed to create course. Please try again.') }
    : { id: saved.id }
}
