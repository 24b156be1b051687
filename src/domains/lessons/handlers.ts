import { api } from '../../server/api.ts'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import type { Services } from '../../server/services.ts'
import { transactionAgain } from '../../server/transaction-again.ts'
import type { Viewer } from '../../server/viewer.ts'
import { mailboxOf } from '../accounts/shown-email.ts'
import { issueCertificate } from '../certificates/issue-certificate.ts'
import { courseAccess, takesPart } from '../courses/access.ts'
import { claimStream, countsAsStream } from '../media/stream-limit.ts'
import { lessonCompleted } from './lesson-completed.ts'
import { completeLesson, holdLesson, holdProgress, uncompleteLesson } from './complete-lesson.ts'
import { addNote, deleteNote, noteOf, updateNote } from './keep-notes.ts'
import { notesOf } from './note-queries.ts'
import { courseOutline } from './outline-queries.ts'
import { previewLesson } from './preview-lesson.ts'
import { completionState, lessonAddress, lessonPage } from './queries.ts'
import { completeByWatching, forgetWatched, recordPlayback } from './record-playback.ts'

const notFound = { message: 'Lesson not found' }
const noteNotFound = { message: 'Note not found' }
const beyondEnd = { message: 'More was reported as played than the video has.' }

/** What tells others who it was: of who came without an email address, that is the name. */
const markOf = ({ email, username, name }: Viewer) =>
  mailboxOf(email) || (username === null ? name : `@${username}`)

/** The completion of the last lesson is what a certificate is for: it asks for one, the others do not. */
async function stateWithCertificate(
  transaction: Transaction,
  services: Services,
  place: { userId: string; courseId: string; lessonId: string },
) {
  const state = await completionState(transaction, place)
  if (state.progressPercent < 100) return state
  const certificateId = await issueCertificate(transaction, services, place)
  return certificateId === null ? state : { ...state, certificateId }
}

export const lessons = {
  getLesson: api.lessons.getLesson.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const lesson = await lessonPage(services.pool, viewer.id, {
      courseId: course.courseId,
      lessonSlug: input.lessonSlug,
      secret: services.secret,
    })
    if (!lesson) throw errors.NOT_FOUND(notFound)
    const { streamsPerAccount } = services.config
    return {
      ...lesson,
      watermark: lesson.isWatermarked ? markOf(viewer) : null,
      streamLimit: streamsPerAccount > 0 && countsAsStream(course) ? streamsPerAccount : null,
      keepsProgress: takesPart(course),
    }
  }),

  getPreviewLesson: api.lessons.getPreviewLesson.handler(async ({ input, context, errors }) => {
    const { services, visitor } = context
    const access = await courseAccess(services.db, visitor, { slug: input.slug })
    if (!access?.canSee) throw errors.NOT_FOUND(notFound)
    const lesson = await previewLesson(services.pool, {
      courseId: access.courseId,
      lessonSlug: input.lessonSlug,
      viewerId: visitor?.id ?? null,
      secret: services.secret,
    })
    if (!lesson) throw errors.NOT_FOUND(notFound)
    return { ...lesson, canLearn: access.canLearn }
  }),

  getOutline: api.lessons.getOutline.handler(async ({ context: { services, viewer, course } }) => ({
    ...(await courseOutline(services.pool, course.courseId, viewer.id)),
    canEdit: course.canEdit,
  })),

  findLesson: api.lessons.findLesson.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const address = await lessonAddress(services.db, course.courseId, input.lessonId)
    if (!address) throw errors.NOT_FOUND(notFound)
    return address
  }),

  completeLesson: api.lessons.completeLesson.handler(({ input, context, errors }) => {
    const { services, viewer, course } = context
    if (!takesPart(course)) throw errors.MEMBERS_ONLY()
    const place = { userId: viewer.id, courseId: course.courseId, lessonId: input.lessonId }
    // The creator may be leaving, and wait for the lesson while the certificate waits for the creator.
    return transactionAgain(services.db, async (transaction) => {
      if (!(await holdProgress(transaction, place))) throw errors.NOT_FOUND(notFound)
      if (await completeLesson(transaction, place)) {
        const event = { type: 'progress', courseId: place.courseId } as const
        await publishToPerson(transaction, viewer.id, event, lessonCompleted(place))
      }
      return stateWithCertificate(transaction, services, place)
    })
  }),

  uncompleteLesson: api.lessons.uncompleteLesson.handler(({ input, context, errors }) => {
    const { services, viewer, course } = context
    const place = { userId: viewer.id, courseId: course.courseId, lessonId: input.lessonId }
    return services.db.transaction(async (transaction) => {
      if (!(await holdProgress(transaction, place))) throw errors.NOT_FOUND(notFound)
      await forgetWatched(transaction, place)
      if (await uncompleteLesson(transaction, place)) {
        const event = { type: 'progress', courseId: place.courseId } as const
        await publishToPerson(transaction, viewer.id, event)
      }
      return completionState(transaction, place)
    })
  }),

  savePosition: api.lessons.savePosition.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    if (!takesPart(course)) throw errors.MEMBERS_ONLY()
    const place = { userId: viewer.id, courseId: course.courseId, lessonId: input.lessonId }
    const { duration, ended } = input
    const isCounted = services.config.streamsPerAccount > 0 && countsAsStream(course)
    const sessionId = isCounted ? viewer.sessionId : null
    const recorded = await recordPlayback(services.pool, place, input, sessionId)
    if (recorded === null) throw errors.NOT_FOUND(notFound)
    if (recorded === 'other video') throw errors.OTHER_VIDEO()
    if (recorded === 'beyond the end') throw errors.BAD_REQUEST(beyondEnd)
    if (!ended) return { ...recorded, completed: false }
    return transactionAgain(services.db, async (transaction) => {
      if (!(await holdProgress(transaction, place))) throw errors.NOT_FOUND(notFound)
      const result = await completeByWatching(transaction, place, duration)
      if (result === 'not watched') return { ...recorded, completed: false }
      if (result === 'completed') {
        const event = { type: 'progress', courseId: place.courseId } as const
        await publishToPerson(transaction, viewer.id, event, lessonCompleted(place))
      }
      const completion = await stateWithCertificate(transaction, services, place)
      return { ...recorded, completed: true, completion }
    })
  }),

  claimStream: api.lessons.claimStream.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const limit = services.config.streamsPerAccount
    const address = await lessonAddress(services.db, course.courseId, input.lessonId)
    if (!address) throw errors.NOT_FOUND(notFound)
    if (limit === 0 || !countsAsStream(course)) return { streamId: null }
    const claimed = await claimStream(services.db, {
      userId: viewer.id,
      sessionId: viewer.sessionId,
      limit,
      insteadOf: input.insteadOf,
    })
    if (!claimed) throw errors.UNAUTHORIZED()
    if ('streamId' in claimed) return claimed
    const devices = claimed.others.map(({ device }) => device).join(', ')
    const message = `You are watching on ${claimed.others.length === 1 ? 'another device' : `${claimed.others.length} other devices`}: ${devices}.`
    throw errors.TOO_MANY_STREAMS({ message, data: { streams: claimed.others } })
  }),

  listNotes: api.lessons.listNotes.handler(({ input, context: { services, viewer, course } }) =>
    notesOf(services.db, {
      userId: viewer.id,
      courseId: course.courseId,
      lessonId: input.lessonId,
    }),
  ),

  addNote: api.lessons.addNote.handler(({ input, context, errors }) => {
    const { services, viewer, course } = context
    const place = { userId: viewer.id, courseId: course.courseId, lessonId: input.lessonId }
    const { text, seconds } = input
    return services.db.transaction(async (transaction) => {
      if (!(await holdLesson(transaction, place))) throw errors.NOT_FOUND(notFound)
      const note = await addNote(transaction, place, { text, seconds })
      if (!note) throw errors.TOO_MANY_NOTES()
      return note
    })
  }),

  updateNote: api.lessons.updateNote.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const { lessonId, noteId, ...change } = input
    const place = { userId: viewer.id, courseId: course.courseId, lessonId, noteId }
    const updated = await updateNote(services.db, place, change)
    if (updated) return updated
    const note = await noteOf(services.db, place)
    if (!note) throw errors.NOT_FOUND(noteNotFound)
    throw errors.NOTE_CHANGED({ data: { note } })
  }),

  deleteNote: api.lessons.deleteNote.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const { lessonId, noteId, textBefore } = input
    const place = { userId: viewer.id, courseId: course.courseId, lessonId, noteId }
    const isRemoved = await deleteNote(services.db, place, textBefore)
    const note = isRemoved ? null : await noteOf(services.db, place)
    if (note) throw errors.NOTE_CHANGED({ data: { note } })
    return { removed: true as const }
  }),
}
