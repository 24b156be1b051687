import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { noteLimits } from './note-limits.ts'
import {
  byCourseSlug,
  byLessonId,
  byNoteId,
  bySlugs,
  completion,
  lessonNote,
  lessonOutline,
  lessonPage,
  previewLesson,
  newNote,
  noteUpdate,
  positionSave,
  savedPosition,
} from './schema.ts'

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

  getOutline: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/outline',
    'Chapters and lessons of a course, with my ticks',
  )
    .input(byCourseSlug)
    .output(lessonOutline),

  /** Also answers to earlier slugs, as `getLesson` does. */
  getPreviewLesson: row(
    'public',
    'GET',
    '/rest/v1/courses/{slug}/preview/{lessonSlug}',
    'A lesson that everybody may see',
  )
    .input(bySlugs)
    .output(previewLesson),

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

  /** Sent every few seconds while a video plays. The latest position wins. */
  savePosition: row(
    'member',
    'PUT',
    '/rest/v1/lessons/{lessonId}/position',
    'Remember where I am in the video and what I have watched',
  )
    .input(positionSave)
    .output(savedPosition),

  /** Of whoever asks, and of nobody else: not for the instructor, not for administrators. */
  listNotes: row('member', 'GET', '/rest/v1/lessons/{lessonId}/notes', 'My notes in a lesson')
    .input(byLessonId)
    .output(z.array(lessonNote)),

  addNote: row('member', 'POST', '/rest/v1/lessons/{lessonId}/notes', 'Write a note in a lesson')
    .errors({
      TOO_MANY_NOTES: {
        status: 409,
        message: `A lesson can have at most ${noteLimits.perLesson} notes. Please delete one first.`,
      },
    })
    .input(newNote)
    .output(lessonNote),

  updateNote: row(
    'member',
    'PATCH',
    '/rest/v1/lessons/{lessonId}/notes/{noteId}',
    'Change a note of mine',
  )
    .input(noteUpdate)
    .output(lessonNote),

  /** Removing twice is harmless. */
  deleteNote: row(
    'member',
    'DELETE',
    '/rest/v1/lessons/{lessonId}/notes/{noteId}',
    'Remove a note of mine',
  )
    .input(byNoteId)
    .output(z.object({ removed: z.literal(true) })),
}
