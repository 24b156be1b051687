import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { byCourseId } from '../courses/schema.ts'
import {
  byImportId,
  courseImport,
  duplicatedCourse,
  exportedCourse,
  myImports,
  newImport,
} from './schema.ts'

const stopped = { stoppedBy: 'create_courses' } as const
const courseLimit = {
  status: 403,
  message: 'Free plan users can create up to 1 course. You have reached this limit.',
}
const underWay = {
  status: 409,
  message: 'An import is under way. Please wait until it is finished.',
}

export const courseTransfer = {
  /** A ZIP (docs/course-format.md), made while it is sent. */
  exportCourse: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/export',
    'A course as a file, with its media',
    { scope: 'courses:read', file: 'application/zip' },
  )
    .route({ outputStructure: 'detailed' })
    .input(byCourseId)
    .output(exportedCourse),

  duplicateCourse: row(
    'instructor',
    'POST',
    '/rest/v1/courses/{courseId}/duplicate',
    'Make a copy of a course (a draft)',
    { ...stopped, scope: 'courses:write' },
  )
    .errors({ COURSE_LIMIT: courseLimit })
    .input(byCourseId)
    .output(duplicatedCourse),

  listImports: row('signedIn', 'GET', '/rest/v1/course-imports', 'My imports of courses').output(
    myImports,
  ),

  /** Once: when it is over, the file that it names is gone. */
  startImport: row('signedIn', 'POST', '/rest/v1/course-imports', 'Import a course file', {
    ...stopped,
    once: true,
  })
    .errors({ COURSE_LIMIT: courseLimit, IMPORT_UNDER_WAY: underWay })
    .input(newImport)
    .output(courseImport),

  retryImport: row(
    'signedIn',
    'POST',
    '/rest/v1/course-imports/{importId}/retry',
    'Try a failed import again',
    stopped,
  )
    .errors({
      COURSE_LIMIT: courseLimit,
      IMPORT_UNDER_WAY: underWay,
      FILE_REMOVED: {
        status: 409,
        message: 'The file of this import is gone. Please upload it again.',
      },
    })
    .input(byImportId)
    .output(courseImport),

  /** The course that it has become stays. */
  removeImport: row(
    'signedIn',
    'DELETE',
    '/rest/v1/course-imports/{importId}',
    'Stop an import, or forget it',
  )
    .input(byImportId)
    .output(z.object({ removed: z.literal(true) })),
}
