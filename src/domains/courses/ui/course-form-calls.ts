// What the course form checks, and what it says to the server. Loaded after the page.
import { zodResolver } from '@hookform/resolvers/zod'
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { courseForm, type CourseForm } from '../schema.ts'
import { callProblem } from './call-problem.ts'

export const checkCourse = zodResolver(courseForm)

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
