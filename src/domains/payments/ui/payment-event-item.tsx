import { RotateCcw } from 'lucide-react'
import { Form, useNavigation } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { countLabel } from '../../courses/ui/count-label.ts'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import type { PaymentEvent } from '../schema.ts'
import { statusWords } from './event-words.ts'

const tones = {
  waiting: 'warning',
  applied: 'success',
  ignored: 'neutral',
  failed: 'danger',
} as const

/** What came, about what, how, and what it did. */
export function PaymentEventItem({ event, now }: { event: PaymentEvent; now: Date }) {
  const { id, type, objectId, customerId, status, outcome, occurredAt } = event
  const { formData } = useNavigation()
  return (
    <Card as="li" padding="sm" className="flex flex-wrap items-start gap-x-6 gap-y-3 sm:px-5">
      <div className="grid min-w-0 flex-1 basis-72 gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h2 className="font-text text-base tracking-normal wrap-anywhere">{type}</h2>
          <Badge tone={tones[status]}>{statusWords[status]}</Badge>
          <span className="text-sm text-muted">
            <CaseTime at={occurredAt} now={now} />
          </span>
        </div>
        {outcome && <p className="wrap-anywhere">{outcome}</p>}
        <p className="flex flex-wrap gap-x-4 font-mono text-sm wrap-anywhere text-muted">
          <span>{objectId}</span>
          {customerId && <span>{customerId}</span>}
          <span>{id}</span>
        </p>
        <p className="text-sm text-muted">{wayHere(event)}</p>
      </div>
      <Form method="post" replace preventScrollReset>
        <input type="hidden" name="eventId" value={id} />
        <Button
          type="submit"
          variant="secondary"
          size="sm"
          aria-label={`Replay ${type} ${id}`}
          busy={formData?.get('eventId') === id}
        >
          <RotateCcw size={16} aria-hidden />
          Replay
        </Button>
      </Form>
    </Card>
  )
}

function wayHere({ source, deliveries, attempts, status }: PaymentEvent): string {
  const found = source === 'reconciler' ? 'Found when comparing with the provider' : ''
  const came = deliveries > 0 ? `Delivered ${times(deliveries)}` : ''
  const applied = attempts > 0 ? `applied in ${countLabel(attempts, 'attempt')}` : 'not applied yet'
  // Nothing is ever done for one that is ignored.
  const tried = status === 'ignored' ? '' : applied
  return [found, came, tried].filter(Boolean).join(', ')
}

const times = (count: number) => (count === 1 ? 'once' : countLabel(count, 'time'))
