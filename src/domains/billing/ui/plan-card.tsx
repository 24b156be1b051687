import { useRef, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Card } from '../../../ui/card.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import type { BillingPage } from '../schema.ts'
import { BillingDay } from './billing-day.tsx'
import { BillingForm } from './billing-form.tsx'
import { cancelPlanQuestion } from './billing-questions.tsx'
import { canCancelPlan, isRunning, planTitle, statusBadge } from './plan-words.ts'
import { QuestionDialog } from './question-dialog.tsx'
import { UpdatePayment } from './update-payment.tsx'
import { UpgradeButton } from './upgrade-link.tsx'

/** The plan, whether it goes on, and what can be done about that. */
export function PlanCard({
  billing,
  isConfirming,
}: {
  billing: BillingPage
  isConfirming: boolean
}) {
  const [isCanceling, setIsCanceling] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const { plan, isGranted, subscription } = billing
  const isPro = plan === 'pro'
  const running = isRunning(subscription)
  const isPastDue = subscription.subscription_status === 'past_due'
  const badge = statusBadge(isGranted && !running ? 'active' : subscription.subscription_status)

  return (
    <Card ref={card} tabIndex={-1} className="grid gap-5 outline-none">
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2 className="text-xl">
            {isPro ? planTitle(running ? subscription.price_id : null) : 'Free Plan'}
          </h2>
          <Badge tone={badge.tone}>{badge.label}</Badge>
        </div>
        {(isPro || !running) && (
          <p className="text-muted">
            {isPro
              ? 'You have access to all Pro features'
              : 'Upgrade to unlock unlimited courses and advanced features'}
          </p>
        )}
        {running && !isPastDue && subscription.current_period_end !== null && (
          <p className="text-sm text-muted">
            {subscription.cancel_at_period_end ? 'Cancels on ' : 'Renews on '}
            <BillingDay at={subscription.current_period_end} />
          </p>
        )}
        {isGranted && (
          <p className="text-sm text-muted">
            {running
              ? 'An administrator gave it to you, whatever becomes of your own subscription.'
              : 'An administrator gave it to you: nothing to pay.'}
          </p>
        )}
      </div>
      {isPastDue && (
        <Banner tone="warning" title="Your last payment failed">
          {isPro
            ? 'Your own subscription is still to be paid, and we try again. Update your card, or cancel it: you keep Pro either way.'
            : 'Until it succeeds you are on the Free plan. Update your card, and you are back on Pro with the next try.'}
        </Banner>
      )}
      <div className="flex flex-wrap gap-3">
        {running && (
          <UpdatePayment label="Update Payment" variant={isPro ? 'secondary' : 'primary'} />
        )}
        {canCancelPlan(billing) && (
          <DialogButton page="/billing/cancel" variant="ghost" onOpen={() => setIsCanceling(true)}>
            Cancel
          </DialogButton>
        )}
        <BillingForm
          fields={{ intent: 'reactivate' }}
          label="Reactivate"
          busyText="Reactivating..."
          isOffered={running && subscription.cancel_at_period_end}
          place={card}
        />
        {!isPro && !running && !isConfirming && <UpgradeButton />}
      </div>
      {isCanceling && (
        <QuestionDialog
          question={cancelPlanQuestion(billing)}
          onClose={() => setIsCanceling(false)}
          place={card}
        />
      )}
    </Card>
  )
}
