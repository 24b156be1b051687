import { api } from '../../server/api.ts'
import { completeLesson, holdLesson, savePosition, uncompleteLesson } from './complete-lesson.ts'
import { completionState, lessonAddress, lessonPage } from './queries.ts'

const notFound = { message: 'Lesson not found' }

export const lessons = {
  getLesson: api.lessons.getLesson.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const lesson = await lessonPage(services.pool, course.courseId, input.lessonSlug, viewer.id)
    if (!lesson) throw errors.NOT_FOUND(notFound)
    return lesson
  }),

  findLesson: api.lessons.findLesson.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const address = await lessonAddress(services.db, course.courseId, input.lessonId)
    if (!address) throw errors.NOT_FOUND(notFound)
    return address
  }),

  completeLesson: api.lessons.completeLesson.handler(({ input, context, errors }) => {
    const { services, viewer, course } = context
    const place = { userId: viewer.id, courseId: course.courseId, lessonId: input.lessonId }
    return services.db.transaction(async (transaction) => {
      if (!(await holdLesson(transaction, place))) throw errors.NOT_FOUND(notFound)
      if (await completeLesson(transaction, place)) {
        const event = { type: 'progress', courseId: place.courseId } as const
        await services.events.publish(transaction, viewer.id, event)
      }
      return completionState(transaction, place)
    })
  }),

  uncompleteLesson: api.lessons.uncompleteLesson.handler(({ input, context, errors }) => {
    const { services, viewer, course } = context
    const place = { userId: viewer.id, courseId: course.courseId, lessonId: input.lessonId }
    return services.db.transaction(async (transaction) => {
      if (!(await holdLesson(transaction, place))) throw errors.NOT_FOUND(notFound)
      if (await uncompleteLesson(transaction, place)) {
        const event = { type: 'progress', courseId: place.courseId } as const
        await services.events.publish(transaction, viewer.id, event)
      }
      return completionState(transaction, place)
    })
  }),

  savePosition: api.lessons.savePosition.handler(async ({ input, context, errors }) => {
    const { services, viewer, course } = context
    const place = { userId: viewer.id, courseId: course.courseId, lessonId: input.lessonId }
    const { seconds } = input
    if (!(await savePosition(services.db, place, seconds))) throw errors.NOT_FOUND(notFound)
    return { seconds }
  }),
}
