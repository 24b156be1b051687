import { ORPCError, safe } from '@orpc/client'
import { CheckCheck } from 'lucide-react'
import { data, Form, redirect, useNavigation, useRevalidator } from 'react-router'
import type { Route } from './+types/notifications-page'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { unreached } from '../../../web/unreached.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { DeleteNotice } from './delete-notice.tsx'
import { focusNeighbour } from './focus-neighbour.ts'
import { NoticeItem } from './notice-item.tsx'
import { useNow } from './use-now.ts'

export const meta = () => pageMeta('Notifications', 'What happened in your courses.')

export const loader = ({ context }: Route.LoaderArgs) =>
  context.get(pageApi).notifications.getNotifications()

const failed = 'Your notifications could not be changed. Please try again.'

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const calls = context.get(formApi).notifications
  const notificationId = String(form.get('notificationId'))
  const ids = form.getAll('shown').map(String)
  const send: Record<string, () => Promise<unknown>> = {
    read: () => calls.markNotificationsRead({ ids }),
    clear: () => calls.clearNotifications({ ids }),
    delete: () => calls.deleteNotification({ notificationId }),
  }
  const [error] = await safe((send[String(form.get('intent'))] ?? send.delete!)())
  if (!error) return redirect('/notifications')
  const status = error instanceof ORPCError ? error.status : 500
  if (status === 401) throw redirect('/login?to=%2Fnotifications')
  return data({ problem: callProblem(error, failed) }, { status })
}

/** Without a connection the list stays, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached({ problem: failed })
  })
}

/** The bell's list as a page: for browsers without scripts, and to link to. */
export default function NotificationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { notifications, unread } = loaderData
  const now = useNow(loaderData.now)
  const busyWith = useNavigation().formData?.get('intent')
  const { revalidate } = useRevalidator()
  useLiveEvents({
    onEvent({ type }) {
      if (type === 'notification') void revalidate()
    },
    onGap: () => void revalidate(),
  })
  const shown = notifications.map(({ id }) => (
    <input key={id} type="hidden" name="shown" value={id} />
  ))

  return (
    <div className="page-width grid max-w-[48rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title="Notifications"
        actions={
          notifications.length > 0 && (
            <Form method="post" replace preventScrollReset className="flex flex-wrap gap-3">
              {shown}
              {unread > 0 && (
                <Button
                  type="submit"
                  name="intent"
                  value="read"
                  variant="secondary"
                  size="sm"
                  busy={busyWith === 'read'}
                >
                  Mark All as Read
                </Button>
              )}
              <Button
                type="submit"
                name="intent"
                value="clear"
                variant="secondary"
                size="sm"
                busy={busyWith === 'clear'}
              >
                Clear All
              </Button>
            </Form>
          )
        }
      />
      {actionData && 'problem' in actionData && <Banner tone="danger">{actionData.problem}</Banner>}
      {notifications.length === 0 ? (
        <EmptyState
          icon={CheckCheck}
          title="All Caught Up!"
          description="New notifications appear here."
        />
      ) : (
        <Card className="p-0 sm:p-0">
          <ul className="divide-y">
            {notifications.map((notice) => (
              <NoticeItem key={notice.id} notice={notice} now={now}>
                <Form
                  method="post"
                  replace
                  preventScrollReset
                  onSubmit={({ currentTarget }) =>
                    focusNeighbour(currentTarget, currentTarget.closest('main'))
                  }
                >
                  <input type="hidden" name="notificationId" value={notice.id} />
                  <DeleteNotice type="submit" name="intent" value="delete" title={notice.title} />
                </Form>
              </NoticeItem>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}
