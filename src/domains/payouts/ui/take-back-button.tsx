import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import { AnswerBanner } from '../../billing/ui/answer-banner.tsx'
import type { BillingAnswer } from '../../billing/ui/billing-answer.ts'

/** Of a payout that nobody claims at its address. */
export function TakeBackButton({ payoutId }: { payoutId: string }) {
  const fetcher = useFetcher<BillingAnswer>()
  useActionCode('/payments')
  const busy = fetcher.state !== 'idle'
  return (
    <fetcher.Form
      method="post"
      action="/payments"
      onSubmit={(event) => busy && event.preventDefault()}
      className="mt-2 grid justify-items-start gap-3"
    >
      <input type="hidden" name="payoutId" value={payoutId} />
      <Button
        type="submit"
        name="intent"
        value="take-back"
        variant="secondary"
        size="sm"
        busy={busy}
        busyText="Taking back..."
      >
        Take Back
      </Button>
      {!busy && <AnswerBanner answer={fetcher.data} />}
    </fetcher.Form>
  )
}
