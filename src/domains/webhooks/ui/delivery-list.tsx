import { Send } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { endpointPath } from '../rules.ts'
import type { DeliveryPage, Endpoint } from '../schema.ts'
import { DeliveryItem } from './delivery-item.tsx'

type DeliveryListProps = {
  endpoint: Endpoint
  page: DeliveryPage
  isFirstPage: boolean
  now: Date
}

/** What was sent in the last 30 days, and what still is to be; it follows what happens. */
export function DeliveryList({ endpoint, page, isFirstPage, now }: DeliveryListProps) {
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isActive = endpoint.status === 'active'
  const here = endpointPath(endpoint.id)

  async function test() {
    setBusy(true)
    const failed = await import('./webhook-calls.ts').then(
      ({ sendTest }) => sendTest(endpoint.id),
      () => cannotLoad,
    )
    setProblem(failed)
    const reading = revalidate()
    // Without a connection it would not come to an end.
    if (failed === null) await reading
    setBusy(false)
  }

  const button = (
    <Button
      size="sm"
      variant="secondary"
      busy={busy}
      disabled={!isActive}
      onClick={() => void test()}
    >
      Send Test Event
    </Button>
  )
  return (
    <section aria-label="Deliveries" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl">Deliveries</h2>
        {page.deliveries.length > 0 && <div inert={!hydrated}>{button}</div>}
      </div>
      {problem && <Banner tone="danger">{problem}</Banner>}
      {page.deliveries.length === 0 ? (
        <EmptyState
          level={3}
          icon={Send}
          title={isFirstPage ? 'Nothing was sent yet' : 'Nothing older'}
          description="What is sent appears here with each attempt, for 30 days."
          action={isFirstPage && <div inert={!hydrated}>{button}</div>}
        />
      ) : (
        <ul aria-label="Deliveries" className="grid divide-y rounded-card border bg-surface">
          {page.deliveries.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              endpointId={endpoint.id}
              delivery={delivery}
              canReplay={isActive}
              now={now}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {!isFirstPage && (
          <ButtonLink to={here} variant="secondary" size="sm">
            Newest
          </ButtonLink>
        )}
        {page.nextCursor && (
          <ButtonLink to={`${here}?after=${page.nextCursor}`} variant="secondary" size="sm">
            Older
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
