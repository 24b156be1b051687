import { Inbox, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import type { PaymentEvent, PaymentEventPage } from '../schema.ts'
import { PaymentEventItem } from './payment-event-item.tsx'

type PaymentEventListProps = {
  page: PaymentEventPage
  status: PaymentEvent['status'] | undefined
  search: string
  /** As it is since somebody replayed it here. */
  replayed: PaymentEvent | null
  now: Date
}

const newestFirst = (one: PaymentEvent, other: PaymentEvent) =>
  other.receivedAt.localeCompare(one.receivedAt) || other.id.localeCompare(one.id)

/** Newest first, as far as it was loaded. */
export function PaymentEventList({ page, status, search, replayed, now }: PaymentEventListProps) {
  const [kept, setKept] = useState<PaymentEvent[]>([])
  const [further, setFurther] = useState<{ nextCursor: string | null } | null>(null)
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { nextCursor } = further ?? page
  // The later word about an event is the one that counts.
  const known = new Map([...kept, ...page.events].map((event) => [event.id, event]))
  if (replayed && known.has(replayed.id)) known.set(replayed.id, replayed)
  const events = [...known.values()].toSorted(newestFirst)

  async function loadMore() {
    if (nextCursor === null || more === 'loading') return
    setMore('loading')
    const [error, next] = await safe(
      client.payments.getPaymentEvents({ status, search, cursor: nextCursor }),
    )
    setMore(error ? 'failed' : 'idle')
    if (error) return
    setKept([...events, ...next.events])
    setFurther(next)
  }

  if (events.length === 0) {
    return status || search ? (
      <EmptyState
        icon={SearchX}
        title="No such events"
        description="Try another id, or look at all of them."
      />
    ) : (
      <EmptyState
        icon={Inbox}
        title="No events yet"
        description="When somebody pays, what the provider says about it appears here."
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul
        // Safari forgets that a list without bullets is one, unless told.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        role="list"
        aria-label="Payment events"
        className="grid grid-cols-1 gap-3"
      >
        {events.map((event) => (
          <PaymentEventItem key={event.id} event={event} now={now} />
        ))}
      </ul>
      {more === 'failed' && (
        <Banner tone="danger">More events could not be loaded. Please try again.</Banner>
      )}
      {nextCursor !== null && (
        <Button
          variant="secondary"
          className="justify-self-center"
          busy={more === 'loading'}
          onClick={() => void loadMore()}
        >
          Load More
        </Button>
      )}
    </div>
  )
}
