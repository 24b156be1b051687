import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { byLessonId, bySlugs, completion, lessonPage, positionSave } from './schema.ts'

export const lessons = {
  /** Also answers to earlier slugs; the caller compares the slugs to redirect. */
  getLesson: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/lessons/{lessonSlug}',
    'A lesson with my progress',
  )
    .input(bySlugs)
    .output(lessonPage),

  findLesson: row('member', 'GET', '/rest/v1/lessons/{lessonId}', 'Where a lesson is, by its id')
    .input(byLessonId)
    .output(z.object({ courseSlug: z.string(), lessonSlug: z.string() })),

  completeLesson: row(
    'member',
    'PUT',
    '/rest/v1/lessons/{lessonId}/completion',
    'Mark a lesson complete',
  )
    .input(byLessonId)
    .output(completion),

  uncompleteLesson: row(
    'member',
    'DELETE',
    '/rest/v1/lessons/{lessonId}/completion',
    'Mark a lesson not complete',
  )
    .input(byLessonId)
    .output(completion),

  savePosition: row(
    'member',
    'PUT',
    '/rest/v1/lessons/{lessonId}/position',
    'Remember where I am in the video',
  )
    .input(positionSave)
    .output(z.object({ seconds: z.number() })),
}
