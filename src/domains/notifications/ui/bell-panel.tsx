import { CheckCheck } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { toast } from '../../../ui/toast.ts'
import type { BellList } from '../bell-schema.ts'
import { clearNotices, deleteNotice } from './bell-calls.ts'
import { without } from './bell-list.ts'
import { BellSkeleton } from './bell-skeleton.tsx'
import { DeleteNotice } from './delete-notice.tsx'
import { focusNeighbour } from './focus-neighbour.ts'
import { NoticeItem } from './notice-item.tsx'
import type { BellStore } from './bell-store.ts'
import { useNow } from './use-now.ts'

interface BellPanelProps {
  store: BellStore
  state: ReturnType<BellStore['get']>
  onRetry: () => void
  onClose: () => void
}

/** What is inside the bell's popover. */
export function BellPanel(props: BellPanelProps) {
  const { list, failed } = props.state
  if (list) return <NoticeList {...props} list={list} />
  if (!failed) return <BellSkeleton />
  return (
    <ErrorState
      className="border-0 bg-transparent"
      title="Could not load your notifications"
      description="Please check your connection and try again."
      onRetry={props.onRetry}
    />
  )
}

const popoverOf = (element: Element) => element.closest<HTMLElement>('[popover]')

type NoticeListProps = BellPanelProps & { list: BellList }

function NoticeList({ list, store, state, onRetry, onClose }: NoticeListProps) {
  const now = useNow(list.now)
  /** Deleted here; the server has not said so yet. */
  const [deleting, setDeleting] = useState<string[]>([])
  const [clearing, setClearing] = useState(false)
  const shown = without(list, deleting).notifications

  async function remove(id: string, event: MouseEvent<HTMLElement>) {
    focusNeighbour(event.currentTarget, popoverOf(event.currentTarget))
    setDeleting((ids) => [...ids, id])
    const outcome = await deleteNotice(id)
    if ('problem' in outcome) void toast.error(outcome.problem)
    else store.settle((before) => without(before, [id]), outcome.unread)
    setDeleting((ids) => ids.filter((other) => other !== id))
  }

  async function clear(event: MouseEvent<HTMLElement>) {
    const popover = popoverOf(event.currentTarget)
    const ids = list.notifications.map(({ id }) => id)
    setClearing(true)
    const outcome = await clearNotices(ids)
    setClearing(false)
    if ('problem' in outcome) return void toast.error(outcome.problem)
    popover?.focus()
    store.settle((before) => without(before, ids), outcome.unread)
  }

  return (
    <>
      <div className="sticky top-0 z-10 flex min-h-14 items-center justify-between gap-4 border-b bg-raised px-4 sm:px-5">
        <h2 className="text-lg">Notifications</h2>
        {shown.length > 0 && (
          <Button
            variant="ghost"
            size="sm"
            busy={clearing}
            onClick={clear}
            className="-mr-2 text-primary"
          >
            Clear All
          </Button>
        )}
      </div>
      {state.failed && (
        <div
          role="alert"
          className="flex items-center justify-between gap-4 border-b px-4 py-2 text-sm sm:px-5"
        >
          Could not load the newest notifications.
          <Button variant="secondary" size="sm" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
      {shown.length === 0 ? (
        <EmptyState
          className="border-0"
          icon={CheckCheck}
          title="All Caught Up!"
          description="New notifications appear here."
          level={3}
        />
      ) : (
        <ul className="divide-y">
          {shown.map((notice) => (
            <NoticeItem key={notice.id} notice={notice} now={now} onFollow={onClose}>
              <DeleteNotice title={notice.title} onClick={(event) => remove(notice.id, event)} />
            </NoticeItem>
          ))}
        </ul>
      )}
    </>
  )
}
