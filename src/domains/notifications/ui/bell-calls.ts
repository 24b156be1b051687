// What the bell says to the server. Loaded after the page.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'

export const readBell = () => client.notifications.getNotifications()

export const markRead = (ids: string[]) => client.notifications.markNotificationsRead({ ids })

export const markReadAbout = (about: string) =>
  client.notifications.markNotificationsRead({ about })

type Outcome = { unread: number } | { problem: string }

async function outcomeOf(call: Promise<{ unread: number }>, fallback: string): Promise<Outcome> {
  const [error, answer] = await safe(call)
  return error ? { problem: callProblem(error, fallback) } : answer
}

export const deleteNotice = (notificationId: string) =>
  outcomeOf(
    client.notifications.deleteNotification({ notificationId }),
    'Failed to delete the notification. Please try again.',
  )

export const clearNotices = (ids: string[]) =>
  outcomeOf(
    client.notifications.clearNotifications({ ids }),
    'Failed to clear your notifications. Please try again.',
  )
