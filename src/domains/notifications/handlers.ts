import { api } from '../../server/api.ts'
import { courseAccess } from '../courses/access.ts'
import { bellOf, unreadNotifications } from './bell-queries.ts'
import { preferencesOf, savePreferences } from './preferences.ts'
import { clearNotices, deleteNotice, readNotices, readNoticesAbout } from './read-notices.ts'
import { switchWords } from './rules.ts'
import { subscribedTo, unsubscribe } from './unsubscribe.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'
import type { LiveEvent } from './schema.ts'

async function* nothing(): AsyncGenerator<LiveEvent> {}

/** Proxies and browsers pass each piece on at once. */
const tooManyStreams = 'Too many pages follow what happens at once. Close some of them.'

const eventStream = (body: ReadableStream<Uint8Array>) =>
  new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  })

export const notifications = {
  getNotifications: api.notifications.getNotifications.handler(
    ({ context: { viewer, services } }) => bellOf(services.pool, viewer.id),
  ),

  markNotificationsRead: api.notifications.markNotificationsRead.handler(
    async ({ input: { ids, about }, context: { viewer, services } }) => {
      if (about !== undefined) await readNoticesAbout(services.db, viewer.id, about)
      if (ids) {
        await services.db.transaction((transaction) => readNotices(transaction, viewer.id, ids))
      }
      return { unread: await unreadNotifications(services.pool, viewer.id) }
    },
  ),

  clearNotifications: api.notifications.clearNotifications.handler(
    async ({ input: { ids }, context: { viewer, services } }) => {
      await services.db.transaction((transaction) => clearNotices(transaction, viewer.id, ids))
      return { unread: await unreadNotifications(services.pool, viewer.id) }
    },
  ),

  deleteNotification: api.notifications.deleteNotification.handler(
    async ({ input: { notificationId }, context: { viewer, services } }) => {
      await services.db.transaction((transaction) =>
        deleteNotice(transaction, viewer.id, notificationId),
      )
      return { unread: await unreadNotifications(services.pool, viewer.id) }
    },
  ),

  getNotificationPreferences: api.notifications.getNotificationPreferences.handler(
    ({ context: { viewer, services } }) => preferencesOf(services.db, viewer.id),
  ),

  saveNotificationPreferences: api.notifications.saveNotificationPreferences.handler(
    async ({ input, context: { viewer, services } }) => {
      await services.db.transaction((transaction) => savePreferences(transaction, viewer.id, input))
      return preferencesOf(services.db, viewer.id)
    },
  ),

  getMailSubscription: api.notifications.getMailSubscription.handler(
    async ({ input: { token }, context: { services }, errors }) => {
      const subscription = readUnsubscribeToken(services.secret, token)
      const names = subscription && (await subscribedTo(services.db, subscription))
      if (!names) throw errors.UNKNOWN_LINK()
      return { stops: names.map((name) => switchWords[name].label) }
    },
  ),

  unsubscribe: api.notifications.unsubscribe.handler(
    async ({ input: { token }, context: { services }, errors }) => {
      const subscription = readUnsubscribeToken(services.secret, token)
      if (!subscription) throw errors.UNKNOWN_LINK()
      const isDone = await services.db.transaction((transaction) =>
        unsubscribe(transaction, subscription),
      )
      if (!isDone) throw errors.UNKNOWN_LINK()
      return { stops: [] }
    },
  ),
}

export const realtime = {
  watchEvents: api.realtime.watchEvents.handler(
    async ({ input: { courseId, age }, context, lastEventId, errors }) => {
      const { services, viewer, direct } = context
      if (courseId !== undefined) {
        const course = await courseAccess(services.db, viewer, { courseId })
        if (!course?.canSee) throw errors.NOT_FOUND({ message: 'Course not found' })
        if (!course.canLearn) throw errors.FORBIDDEN({ message: 'Join this course to see this.' })
      }
      // As an iterator, thousands of streams would each encode every event for themselves.
      if (direct) {
        const viewing = { userId: viewer.id, sessionId: viewer.sessionId, courseId }
        const since = lastEventId ? { lastEventId } : age === undefined ? null : { age }
        if (!services.events.mayWatch(viewer.id)) throw errors.TOO_MANY({ message: tooManyStreams })
        direct.answer = eventStream(services.events.watch(viewing, since))
      }
      return nothing()
    },
  ),
}
