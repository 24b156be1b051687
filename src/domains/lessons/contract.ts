import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { noteLimits } from './note-limits.ts'
import {
  byCourseSlug,
  byLessonId,
  bySlugs,
  changedNote,
  claimedStream,
  deletedNote,
  completion,
  lessonNote,
  lessonOutline,
  lessonPage,
  previewLesson,
  newNote,
  noteUpdate,
  otherStreams,
  positionSave,
  savedPosition,
  streamClaim,
} from './schema.ts'

/** Administrators see every lesson, and are no learners of it. */
const membersOnly = {
  status: 403,
  message: 'Only members of this course can make progress in it.',
} as const

export const lessons = {
  /** Also answers to earlier slugs; the caller compares the slugs to redirect. */
  getLesson: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/lessons/{lessonSlug}',
    'A lesson with my progress',
    { scope: 'learning:read' },
  )
    .input(bySlugs)
    .output(lessonPage),

  getOutline: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/outline',
    'Chapters and lessons of a course, with my ticks',
    { scope: 'learning:read' },
  )
    .input(byCourseSlug)
    .output(lessonOutline),

  /** Also answers to earlier slugs, as `getLesson` does. */
  getPreviewLesson: row(
    'public',
    'GET',
    '/rest/v1/courses/{slug}/preview/{lessonSlug}',
    'A lesson that everybody may see',
    { scope: 'courses:read', fromReplica: true },
  )
    .input(bySlugs)
    .output(previewLesson),

  findLesson: row('member', 'GET', '/rest/v1/lessons/{lessonId}', 'Where a lesson is, by its id', {
    scope: 'learning:read',
  })
    .input(byLessonId)
    .output(z.object({ courseSlug: z.string(), lessonSlug: z.string() })),

  completeLesson: row(
    'member',
    'PUT',
    '/rest/v1/lessons/{lessonId}/completion',
    'Mark a lesson complete',
    { scope: 'learning:write' },
  )
    .errors({ MEMBERS_ONLY: membersOnly })
    .input(byLessonId)
    .output(completion),

  uncompleteLesson: row(
    'member',
    'DELETE',
    '/rest/v1/lessons/{lessonId}/completion',
    'Mark a lesson not complete',
    { scope: 'learning:write' },
  )
    .input(byLessonId)
    .output(completion),

  /** Sent every few seconds while a video plays. The latest position wins. */
  savePosition: row(
    'member',
    'PUT',
    '/rest/v1/lessons/{lessonId}/position',
    'Remember where I am in the video and what I have watched',
    { scope: 'learning:write' },
  )
    .errors({
      MEMBERS_ONLY: membersOnly,
      OTHER_VIDEO: { status: 409, message: 'The video of this lesson has changed.' },
    })
    .input(positionSave)
    .output(savedPosition),

  /** Asked when a video begins to play; `savePosition` keeps the place after that. */
  claimStream: row(
    'member',
    'PUT',
    '/rest/v1/lessons/{lessonId}/stream',
    'Play the video of a lesson in this browser: on a few devices at once',
  )
    .errors({
      TOO_MANY_STREAMS: {
        status: 409,
        message: 'You are watching on other devices, as many as an account may use at once.',
        data: otherStreams,
      },
    })
    .input(streamClaim)
    .output(claimedStream),

  /** Of whoever asks, and of nobody else: not for the instructor, not for administrators. */
  listNotes: row('member', 'GET', '/rest/v1/lessons/{lessonId}/notes', 'My notes in a lesson', {
    scope: 'learning:read',
  })
    .input(byLessonId)
    .output(z.array(lessonNote)),

  addNote: row('member', 'POST', '/rest/v1/lessons/{lessonId}/notes', 'Write a note in a lesson', {
    scope: 'learning:write',
  })
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
    { scope: 'learning:write' },
  )
    .errors({
      NOTE_CHANGED: {
        status: 409,
        message:
          'This note was changed in another tab or on another device since you opened it. Yours is not saved: put both together.',
        data: changedNote,
      },
    })
    .input(noteUpdate)
    .output(lessonNote),

  /** Removing twice is harmless. */
  deleteNote: row(
    'member',
    'DELETE',
    '/rest/v1/lessons/{lessonId}/notes/{noteId}',
    'Remove a note of mine',
    { scope: 'learning:write' },
  )
    .errors({
      NOTE_CHANGED: {
        status: 409,
        message:
          'This note was changed in another tab or on another device since you read it. Nothing is removed.',
        data: changedNote,
      },
    })
    .input(deletedNote)
    .output(z.object({ removed: z.literal(true) })),
}
