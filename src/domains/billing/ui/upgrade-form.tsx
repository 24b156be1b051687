import { type MouseEvent, useState } from 'react'
import { useFetcher, useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Radio } from '../../../ui/radio.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { catalogue, type PlanName } from '../rules.ts'
import { AnswerBanner } from './answer-banner.tsx'
import { type BillingAnswer, typedBefore } from './billing-answer.ts'
import { demoQuestion } from './billing-questions.tsx'
import { annualSaving, isPlanName, shortMoney } from './plan-words.ts'
import { AllOfPro, ProBenefits } from './pro-benefits.tsx'
import { QuestionDialog } from './question-dialog.tsx'

/** The chosen one first: a dialog opens with the focus on it. */
const plans: { plan: PlanName; label: string }[] = [
  { plan: 'annual', label: 'Annual' },
  { plan: 'monthly', label: 'Monthly' },
]

type UpgradeFormProps = {
  /** The answer that the page was sent with, where no script runs. */
  first?: BillingAnswer
  /** The way out; without it, the billing page is. */
  onCancel?: () => void
  /** After the demo upgrade. */
  onUpgraded: () => void
}

/** The choice of a plan. Where it leads, and what it costs, is the server's to say. */
export function UpgradeForm({ first, onCancel, onUpgraded }: UpgradeFormProps) {
  const fetcher = useFetcher<BillingAnswer>()
  useActionCode('/upgrade')
  const busy = fetcher.state !== 'idle'
  const payments = useRouteLoaderData<typeof loader>('root')?.shell.payments
  const { checkout: off } = useSwitchedOff()
  const [demo, setDemo] = useState<PlanName | null>(null)
  const chosen = typedBefore(first).plan ?? 'annual'

  function askForDemo(event: MouseEvent<HTMLButtonElement>) {
    const { form } = event.currentTarget
    const plan = form && new FormData(form).get('plan')
    if (!isPlanName(plan)) return
    event.preventDefault()
    setDemo(plan)
  }

  return (
    <>
      <fetcher.Form
        method="post"
        action="/upgrade"
        onSubmit={(event) => busy && event.preventDefault()}
        className="grid grid-cols-1 gap-5"
      >
        <fieldset className="grid min-w-0 grid-cols-1 gap-3 sm:grid-cols-2">
          <legend className="sr-only">Billing period</legend>
          {plans.map((choice) => (
            <PlanChoice key={choice.plan} {...choice} isChosen={choice.plan === chosen} />
          ))}
        </fieldset>
        <div className="grid gap-3">
          <p className="font-semibold">Everything in Pro</p>
          <ProBenefits className="sm:grid-cols-2" />
          <AllOfPro />
        </div>
        {payments === 'live' || (
          <p className="text-sm text-pretty text-muted">
            Test mode: no real money moves.
            {payments === 'sandbox' && ' Pay with the card 4242 4242 4242 4242.'}
          </p>
        )}
        {!busy && <AnswerBanner answer={fetcher.data ?? first} />}
        {off && <Banner tone="warning">{off}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:flex-wrap sm:justify-end">
          {onCancel ? (
            <Button variant="ghost" disabled={busy} onClick={onCancel}>
              Cancel
            </Button>
          ) : (
            <ButtonLink to="/billing" variant="ghost">
              Cancel
            </ButtonLink>
          )}
          {payments === 'sandbox' && (
            <Button
              type="submit"
              formMethod="get"
              formAction="/upgrade/demo"
              variant="secondary"
              disabled={busy || off !== undefined}
              onClick={askForDemo}
            >
              Try the demo upgrade
            </Button>
          )}
          <Button type="submit" disabled={off !== undefined} busy={busy} busyText="Processing...">
            Upgrade to Pro
          </Button>
        </div>
      </fetcher.Form>
      {demo && (
        <QuestionDialog
          question={demoQuestion(demo)}
          onClose={() => setDemo(null)}
          onDone={onUpgraded}
        />
      )}
    </>
  )
}

type PlanChoiceProps = { plan: PlanName; label: string; isChosen: boolean }

function PlanChoice({ plan, label, isChosen }: PlanChoiceProps) {
  const { amount, currency, interval } = catalogue[plan]
  const saving = annualSaving()
  return (
    <label
      className={cn(
        'grid cursor-pointer content-start gap-1 rounded-card border border-edge p-4',
        'hover:border-ink has-checked:border-primary has-checked:bg-primary-soft',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
      )}
    >
      <span className="flex flex-wrap items-center gap-2 font-semibold">
        <Radio name="plan" value={plan} defaultChecked={isChosen} />
        {label}
        {plan === 'annual' && <Badge tone="success">Save {saving.percent}%</Badge>}
      </span>
      <span>
        <strong className="text-2xl">{shortMoney(amount, currency)}</strong>
        <span className="text-muted"> per {interval}</span>
      </span>
      {plan === 'annual' && (
        <span className="text-sm text-muted">
          Only {shortMoney(saving.perMonth, currency)}/month. You save{' '}
          {shortMoney(saving.amount, currency)} a year: {saving.monthsFree} months free.
        </span>
      )}
    </label>
  )
}
