import { ExternalLink } from 'lucide-react'
import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import { AnswerBanner } from '../../billing/ui/answer-banner.tsx'
import type { BillingAnswer } from '../../billing/ui/billing-answer.ts'
import { ProveFirst } from './prove-first.tsx'

/** Leads to the provider's own pages, for what it still has to know. */
export function OnboardingButton({ label }: { label: string }) {
  const fetcher = useFetcher<BillingAnswer>()
  useActionCode('/payments')
  const busy = fetcher.state !== 'idle'
  const answer = busy ? undefined : fetcher.data
  const wish = { intent: 'onboarding' }
  return (
    <>
      <fetcher.Form
        method="post"
        action="/payments"
        onSubmit={(event) => busy && event.preventDefault()}
        className="grid gap-3"
      >
        <input type="hidden" name="intent" value={wish.intent} />
        <Button type="submit" size="sm" busy={busy} busyText="Opening...">
          {label}
          <ExternalLink size={16} aria-hidden />
          <span className="sr-only">, at the payment provider</span>
        </Button>
        <AnswerBanner answer={answer} />
      </fetcher.Form>
      <ProveFirst
        answer={answer}
        backTo="/payments"
        onProven={() => void fetcher.submit(wish, { method: 'post', action: '/payments' })}
      />
    </>
  )
}
