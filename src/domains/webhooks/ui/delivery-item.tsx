import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { relativeTime } from '../../../ui/relative-time.ts'
import { client } from '../../../web/api-client.ts'
import { useAnswer } from '../../../web/use-answer.ts'
import { isDelivered } from '../rules.ts'
import type { Delivery, WholeDelivery } from '../schema.ts'
import { deliveryBadges } from './endpoint-words.ts'

type DeliveryItemProps = {
  endpointId: string
  delivery: Delivery
  canReplay: boolean
  now: Date
}

const attemptsLabel = (attempts: number) =>
  attempts === 0 ? 'not tried yet' : attempts === 1 ? '1 attempt' : `${attempts} attempts`

/** An event that was sent, or is to be; opened, it shows what was posted and each attempt. */
export function DeliveryItem(props: DeliveryItemProps) {
  const { delivery, now } = props
  const [isOpen, setOpen] = useState(false)
  const { label, tone } = deliveryBadges[delivery.status]
  const { nextAttemptAt, attempts } = delivery
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="grid cursor-pointer gap-1 px-4 py-3">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <code className="font-semibold wrap-anywhere">{delivery.type}</code>
            <Badge tone={tone}>{label}</Badge>
          </span>
          <span className="text-sm text-muted tabular-nums">
            {relativeTime(new Date(delivery.createdAt), now)} · {attemptsLabel(attempts)}
            {attempts > 0 && nextAttemptAt && (
              <>
                {' '}
                · next <LocalTime at={nextAttemptAt} withSeconds />
              </>
            )}
          </span>
        </summary>
        {isOpen && <WholeItem {...props} />}
      </details>
    </li>
  )
}

function WholeItem({ endpointId, delivery, canReplay }: DeliveryItemProps) {
  const { id: messageId, attempts, status } = delivery
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // Read anew when the list says that there is more to know.
  const { answer, hasFailed, again } = useAnswer(`${messageId} ${attempts} ${status}`, () =>
    client.webhooks.getWebhookDelivery({ endpointId, messageId }),
  )
  const [shown, setShown] = useState<WholeDelivery | null>(null)
  if (answer && answer !== shown) setShown(answer)

  async function sendAgain() {
    setBusy(true)
    const failed = await import('./webhook-calls.ts').then(
      ({ replay }) => replay(endpointId, messageId),
      () => cannotLoad,
    )
    setProblem(failed)
    const reading = revalidate()
    // Without a connection it would not come to an end.
    if (failed === null) await reading
    setBusy(false)
  }

  if (!shown) {
    return hasFailed ? (
      <FailedBanner className="m-4" onRetry={again}>
        This could not be loaded. Please check your connection.
      </FailedBanner>
    ) : (
      <Loading label="Loading the attempts…" className="p-4">
        <Skeleton className="h-32 rounded-card" />
      </Loading>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5 px-4 pb-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">
          webhook-id <code className="wrap-anywhere">{shown.webhookId}</code>
        </p>
        <Button
          size="sm"
          variant="secondary"
          busy={busy}
          disabled={!canReplay || status === 'pending'}
          onClick={() => void sendAgain()}
        >
          Send Again
        </Button>
      </div>
      {problem && <Banner tone="danger">{problem}</Banner>}
      <Attempts log={shown.log} />
      <div className="grid gap-2">
        <h3 className="text-base">What is posted</h3>
        <Code>{shown.body}</Code>
      </div>
    </div>
  )
}

function Attempts({ log }: Pick<WholeDelivery, 'log'>) {
  if (log.length === 0) return <p className="text-muted">It was not tried yet.</p>
  return (
    <ol aria-label="Attempts" className="grid gap-4">
      {log.map(({ id, at, status, milliseconds, answer, problem }) => (
        <li key={id} className="grid grid-cols-1 gap-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <Badge tone={isDelivered(status) ? 'success' : 'danger'}>{status ?? 'No answer'}</Badge>
            <span className="text-muted tabular-nums">
              <LocalTime at={at} withSeconds /> · {milliseconds} ms
            </span>
          </p>
          {problem && <p>{problem}</p>}
          {answer && <Code>{answer}</Code>}
        </li>
      ))}
    </ol>
  )
}

function Code({ children }: { children: string }) {
  return (
    // It can be long, and then it has to be scrolled by keyboard, too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre tabIndex={0} className="max-h-64 overflow-auto rounded-control bg-wash p-3 text-sm">
      {children}
    </pre>
  )
}
