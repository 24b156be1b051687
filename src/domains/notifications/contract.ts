import { eventIterator } from '@orpc/contract'
import { row } from '../../contract-row.ts'
import { bell, oneNotice, readNotices, shownNotices, stillUnread } from './bell-schema.ts'
import {
  byMailToken,
  mailSubscription,
  preferences,
  preferencesUpdate,
} from './preferences-schema.ts'
import { liveEvent, watchedEvents } from './schema.ts'

const unknownLink = {
  UNKNOWN_LINK: {
    status: 404,
    message: 'This link does not work. It may be incomplete, or its account is gone.',
  },
} as const

export const notifications = {
  getNotifications: row(
    'signedIn',
    'GET',
    '/rest/v1/notifications',
    'My latest 50 notifications, newest first',
    { scope: 'notifications:read' },
  ).output(bell),

  /** What arrived after the list was read stays unread. */
  markNotificationsRead: row(
    'signedIn',
    'POST',
    '/rest/v1/notifications/read',
    'Mark the notifications that were shown to me, with 50 of them all older ones, or those about one place, as read',
    { scope: 'notifications:write' },
  )
    .input(readNotices)
    .output(stillUnread),

  /** What arrived after the list was read stays. */
  clearNotifications: row(
    'signedIn',
    'POST',
    '/rest/v1/notifications/clear',
    'Delete the notifications that were shown to me, with 50 of them all older ones',
    { scope: 'notifications:write' },
  )
    .input(shownNotices)
    .output(stillUnread),

  /** Twice is harmless. */
  deleteNotification: row(
    'signedIn',
    'DELETE',
    '/rest/v1/notifications/{notificationId}',
    'Delete one of my notifications',
    { scope: 'notifications:write' },
  )
    .input(oneNotice)
    .output(stillUnread),

  getNotificationPreferences: row(
    'signedIn',
    'GET',
    '/rest/v1/me/notification-preferences',
    'What I am told, and how',
  ).output(preferences),

  saveNotificationPreferences: row(
    'signedIn',
    'PUT',
    '/rest/v1/me/notification-preferences',
    'Change what I am told, and how',
    { description: 'Only what is sent changes.' },
  )
    .input(preferencesUpdate)
    .output(preferences),

  /** Who has the mail needs no log-in. */
  getMailSubscription: row(
    'public',
    'GET',
    '/rest/v1/unsubscribe',
    'What the link in a mail would stop',
  )
    .errors(unknownLink)
    .input(byMailToken)
    .output(mailSubscription),

  /** Twice is harmless. */
  unsubscribe: row('public', 'POST', '/rest/v1/unsubscribe', 'Stop these emails')
    .errors(unknownLink)
    .input(byMailToken)
    .output(mailSubscription),
}

export const realtime = {
  /**
   * A stream (text/event-stream) of what happens to the signed-in person, and in a course; one per tab. With
   * the header Last-Event-ID it goes on where an earlier one was cut.
   */
  watchEvents: row('signedIn', 'GET', '/realtime/v1/events', 'What happens to me, as it happens')
    .errors({ TOO_MANY: { status: 429 } })
    .input(watchedEvents)
    .output(eventIterator(liveEvent)),
}
