import * as z from 'zod'
import { row } from '../../contract-row.ts'
import {
  byCourseId,
  bySlug,
  courseContent,
  courseContentSave,
  courseDashboard,
  courseForm,
  courseFormValues,
  courseList,
  coursePage,
  courseSearch,
  courseUpdate,
  myDashboard,
} from './schema.ts'

export const courses = {
  /** Published courses, newest first. */
  listCourses: row('public', 'GET', '/rest/v1/courses', 'Find courses')
    .input(courseSearch)
    .output(courseList),

  /** Also answers to an earlier slug or to the id; the caller compares `slug` to redirect. */
  getCoursePage: row('public', 'GET', '/rest/v1/courses/{slug}', 'A course as visitors see it')
    .input(bySlug)
    .output(coursePage),

  getCourseDashboard: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/dashboard',
    'A course as its members see it',
  )
    .input(bySlug)
    .output(courseDashboard),

  getMyDashboard: row(
    'signedIn',
    'GET',
    '/rest/v1/dashboard',
    'The courses I take and the courses I made',
  ).output(myDashboard),

  createCourse: row('signedIn', 'POST', '/rest/v1/courses', 'Make a course (a draft)')
    .errors({
      COURSE_LIMIT: {
        status: 403,
        message: 'Free plan users can create up to 1 course. You have reached this limit.',
      },
    })
    .input(courseForm)
    .output(z.object({ id: z.uuid(), slug: z.string() })),

  getCourseForm: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/form',
    'Course information, to edit',
  )
    .input(byCourseId)
    .output(courseFormValues),

  updateCourse: row(
    'instructor',
    'PATCH',
    '/rest/v1/courses/{courseId}',
    'Change course information',
  )
    .input(courseUpdate)
    .output(z.object({ id: z.uuid(), slug: z.string() })),

  getCourseContent: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/content',
    'Chapters and lessons, to edit',
  )
    .input(byCourseId)
    .output(courseContent),

  saveCourseContent: row(
    'instructor',
    'PUT',
    '/rest/v1/courses/{courseId}/content',
    'Save chapters and lessons',
  )
    .errors({
      CONTENT_CHANGED: {
        status: 409,
        message:
          'This course was changed in another tab or by somebody else since you opened it. Load it again to see the newest version; copy what you wrote first.',
      },
    })
    .input(courseContentSave)
    .output(courseContent),

  publishCourse: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/publish',
    'Show a course to everybody',
  )
    .errors({
      NOTHING_TO_PUBLISH: {
        status: 409,
        message: 'Add at least one lesson before you publish this course.',
      },
    })
    .input(byCourseId)
    .output(z.object({ slug: z.string() })),

  unpublishCourse: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/unpublish',
    'Make a course a draft again',
  )
    .input(byCourseId)
    .output(z.object({ slug: z.string() })),

  /** Spec 1, section 7: the remote procedures, for the signed-in person's own data. */
  canCreateCourse: row(
    'signedIn',
    'POST',
    '/rest/v1/rpc/can_create_course',
    'May I make another course?',
  ).output(z.boolean()),
}
