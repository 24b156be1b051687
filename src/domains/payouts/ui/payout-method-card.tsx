import { Banknote, CreditCard, Landmark, type LucideIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import { AnswerBanner } from '../../billing/ui/answer-banner.tsx'
import type { BillingAnswer } from '../../billing/ui/billing-answer.ts'
import { QuestionDialog } from '../../billing/ui/question-dialog.tsx'
import type { PayoutSetup } from '../schema.ts'
import { OnboardingButton } from './onboarding-button.tsx'
import { methodWords, scheduleWords, standingWords } from './payout-words.ts'
import { removeMethodQuestion } from './remove-method-question.tsx'

type Method = NonNullable<PayoutSetup['method']>

const icons: Record<Method['method'], LucideIcon> = {
  bank_account: Landmark,
  debit_card: CreditCard,
  paypal: Banknote,
}

const loadSetup = () => import('./setup-dialog.tsx')

/** How this person is paid, whether that works, and what to do where it does not. */
export function PayoutMethodCard({ setup }: { setup: PayoutSetup }) {
  const [open, setOpen] = useState<'setup' | 'remove' | null>(null)
  const card = useRef<HTMLDivElement>(null)
  const { method, standing, explanation } = setup
  const close = () => setOpen(null)
  return (
    <Card ref={card} tabIndex={-1} className="outline-none">
      <CardHeader
        title="Payout Method"
        actions={<Badge tone={standingWords[standing].tone}>{standingWords[standing].label}</Badge>}
      />
      <div className="grid grid-cols-1 gap-5">
        {method ? (
          <Destination method={method} />
        ) : (
          <p className="text-pretty text-muted">
            Say where your earnings go: a bank account
            {setup.offersPaypal ? ', a debit card, or PayPal' : ' or a debit card'}. What you earn
            is kept for you until then.
          </p>
        )}
        {standing !== 'not_connected' && explanation !== '' && (
          <Standing standing={standing} explanation={explanation} />
        )}
        {setup.isTestMode && (
          <p className="text-sm text-muted">Test mode: no real money is paid out.</p>
        )}
        <div className="flex flex-wrap gap-3">
          <DialogButton
            page="/payments/setup"
            onOpen={() => setOpen('setup')}
            variant={method && standing !== 'failed' ? 'secondary' : 'primary'}
            size={method ? 'sm' : 'md'}
            aria-label={method ? 'Change payout method' : undefined}
          >
            {method ? 'Change' : 'Set Up Payout Method'}
          </DialogButton>
          {method && (
            <DialogButton
              page={removeMethodQuestion.page}
              onOpen={() => setOpen('remove')}
              variant="ghost"
              size="sm"
              aria-label="Remove payout method"
            >
              Remove
            </DialogButton>
          )}
        </div>
        {method && <Schedule schedule={method.schedule} />}
      </div>
      {open === 'setup' && (
        <LaterDialog load={loadSetup} onFailed={close}>
          {({ SetupDialog }) => <SetupDialog setup={setup} onClose={close} />}
        </LaterDialog>
      )}
      {open === 'remove' && (
        <QuestionDialog question={removeMethodQuestion} onClose={close} place={card} />
      )}
    </Card>
  )
}

function Destination({ method }: { method: Method }) {
  const Icon = icons[method.method]
  return (
    <div className="flex items-center gap-4">
      <span className="grid size-11 shrink-0 place-items-center rounded-control bg-primary-soft text-primary">
        <Icon size={22} aria-hidden />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap gap-x-2 font-semibold wrap-anywhere">
          {method.method === 'paypal' ? (
            method.paypalEmail
          ) : (
            <>
              {method.label}
              <span className="tabular-nums">
                <span aria-hidden>•••• </span>
                <span className="sr-only">ending in </span>
                {method.last4}
              </span>
            </>
          )}
        </p>
        <p className="text-sm text-muted">
          {methodWords[method.method]} of {method.firstName} {method.lastName}
        </p>
      </div>
    </div>
  )
}

function Standing({ standing, explanation }: Pick<PayoutSetup, 'standing' | 'explanation'>) {
  const { tone } = standingWords[standing]
  return (
    <Banner
      tone={tone === 'warning' || tone === 'danger' ? tone : 'info'}
      action={standing === 'information_needed' && <OnboardingButton label="Continue" />}
    >
      {explanation}
    </Banner>
  )
}

/** When earnings go out by themselves. */
function Schedule({ schedule }: Pick<Method, 'schedule'>) {
  const fetcher = useFetcher<BillingAnswer>()
  useActionCode('/payments')
  const busy = fetcher.state !== 'idle'
  return (
    <fetcher.Form
      method="post"
      action="/payments"
      onSubmit={(event) => busy && event.preventDefault()}
      className="grid gap-3 border-t pt-5"
    >
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Automatic payouts" className="w-full max-w-56">
          <Select key={schedule} name="schedule" defaultValue={schedule}>
            {Object.entries(scheduleWords).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit" variant="secondary" busy={busy} busyText="Saving...">
          Save
        </Button>
      </div>
      <p className="text-sm text-pretty text-muted">
        Weekly payouts go out on Mondays, monthly ones on the 1st (UTC). Each pays out everything
        available; while another payout is under way, it follows when that one has arrived.
      </p>
      {!busy && <AnswerBanner answer={fetcher.data} />}
    </fetcher.Form>
  )
}
