import { row } from '../../contract-row.ts'
import { brandingSave, byCourse, courseBranding } from './schema.ts'

export const branding = {
  getBranding: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/branding',
    'How a course looks, to edit',
    { scope: 'courses:read' },
  )
    .input(byCourse)
    .output(courseBranding),

  /** With Pro; to remove what is there needs none. */
  saveBranding: row(
    'instructor',
    'PUT',
    '/rest/v1/courses/{courseId}/branding',
    'Give a course a look of its own',
    { scope: 'courses:write' },
  )
    .errors({
      PRO_ONLY: {
        status: 403,
        message: 'Course branding is a Pro benefit. What you have stays, and you can remove it.',
      },
    })
    .input(brandingSave)
    .output(courseBranding),
}
