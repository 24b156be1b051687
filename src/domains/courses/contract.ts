import * as z from 'zod'
import { row } from '../../contract-row.ts'
import {
  byCourseId,
  bySlug,
  courseContent,
  courseContentSave,
  courseDashboard,
  courseDeletion,
  courseFormValues,
  coursePage,
  courseUpdate,
  myDashboard,
  newCourse,
  publishChecklist,
} from './schema.ts'
import { courseList, courseSearch } from '../search/schema.ts'

export const courses = {
  /** Published courses: the best match first where something is searched for, else the newest. */
  listCourses: row('public', 'GET', '/rest/v1/courses', 'Find courses', {
    scope: 'courses:read',
    fromReplica: true,
  })
    .input(courseSearch)
    .output(courseList),

  /** Also answers to an earlier slug or to the id; the caller compares `slug` to redirect. */
  getCoursePage: row('public', 'GET', '/rest/v1/courses/{slug}', 'A course as visitors see it', {
    scope: 'courses:read',
    fromReplica: true,
  })
    .input(bySlug)
    .output(coursePage),

  getCourseDashboard: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/dashboard',
    'A course as its members see it',
    { scope: 'learning:read' },
  )
    .input(bySlug)
    .output(courseDashboard),

  getMyDashboard: row(
    'signedIn',
    'GET',
    '/rest/v1/dashboard',
    'The courses I take and the courses I made',
    {
      scope: 'courses:read',
      description:
        'A token without learning:read is told which courses these are, and nothing of how they are learned: progressPercent, completedCount and continueWith are null.',
    },
  ).output(myDashboard),

  createCourse: row('signedIn', 'POST', '/rest/v1/courses', 'Make a course (a draft)', {
    scope: 'courses:write',
    stoppedBy: 'create_courses',
  })
    .errors({
      COURSE_LIMIT: {
        status: 403,
        message: 'Free plan users can create up to 1 course. You have reached this limit.',
      },
    })
    .input(newCourse)
    .output(z.object({ id: z.uuid(), slug: z.string() })),

  getCourseForm: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/form',
    'Course information, to edit',
    { scope: 'courses:read' },
  )
    .input(byCourseId)
    .output(courseFormValues),

  updateCourse: row(
    'instructor',
    'PATCH',
    '/rest/v1/courses/{courseId}',
    'Change course information',
    { scope: 'courses:write' },
  )
    .errors({
      DESCRIPTION_CHANGED: {
        status: 409,
        message:
          'The description was changed in another tab or by somebody else since you opened it. Yours is not saved: copy it, load this page again, and put both together.',
      },
    })
    .input(courseUpdate)
    .output(z.object({ id: z.uuid(), slug: z.string() })),

  getCourseContent: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/content',
    'Chapters and lessons, to edit',
    { scope: 'courses:read' },
  )
    .input(byCourseId)
    .output(courseContent),

  saveCourseContent: row(
    'instructor',
    'PUT',
    '/rest/v1/courses/{courseId}/content',
    'Save chapters and lessons',
    {
      scope: 'courses:write',
      // A course of 1,000 lessons.
      maxBody: 16 * 1024 * 1024,
      description:
        'This becomes the whole content of the course: read the content first, change it, and send all of it back. A chapter, lesson or link that is not sent, or has no title, is deleted; one that is sent without its id is deleted, and made anew. With a lesson goes who has completed it, where everybody is in its video, and their notes. A lesson that is sent with its id keeps those; what else it is sent without, it loses: videoId (in the answer the id of video), videoUrl, durationMinutes, isPreview, links.',
    },
  )
    .errors({
      CONTENT_CHANGED: {
        status: 409,
        message:
          'This course was changed in another tab or by somebody else since you opened it. Your changes are not saved yet; load the newest version before you save again.',
      },
    })
    .input(courseContentSave)
    .output(courseContent),

  publishCourse: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/publish',
    'Show a course to everybody',
    { scope: 'courses:write' },
  )
    .errors({
      NOTHING_TO_PUBLISH: {
        status: 409,
        message: 'Add at least one lesson before you publish this course.',
      },
      SUSPENDED: {
        status: 409,
        message:
          'The administrators have suspended this course, so it cannot be published. The page of the course says why, and how to appeal.',
      },
    })
    .input(byCourseId)
    .output(z.object({ slug: z.string() })),

  getPublishChecklist: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/publish-checklist',
    'What a course still needs before it is published',
    { scope: 'courses:read' },
  )
    .input(byCourseId)
    .output(publishChecklist),

  unpublishCourse: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/unpublish',
    'Make a course a draft again',
    { scope: 'courses:write' },
  )
    .input(byCourseId)
    .output(z.object({ slug: z.string() })),

  /** The title is typed again; what hangs on the course goes with it, and its members are told. */
  deleteCourse: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/deletion',
    'Delete a course for good',
  )
    .errors({
      WRONG_TITLE: {
        status: 409,
        message: 'This is not the title of the course. Please type it as it is shown.',
      },
      OBSTACLE: { status: 409 },
    })
    .input(courseDeletion)
    .output(z.object({ id: z.uuid() })),

  /** Spec 1, section 7: the remote procedures, for the signed-in person's own data. */
  canCreateCourse: row(
    'signedIn',
    'POST',
    '/rest/v1/rpc/can_create_course',
    'May I make another course?',
    { scope: 'courses:read' },
  ).output(z.boolean()),
}
