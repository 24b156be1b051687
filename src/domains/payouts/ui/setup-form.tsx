import { ExternalLink } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { AnswerBanner } from '../../billing/ui/answer-banner.tsx'
import { type BillingAnswer, typedBefore } from '../../billing/ui/billing-answer.ts'
import { payoutMessages } from '../rules.ts'
import type { PayoutSetup } from '../schema.ts'
import { fieldOrder, type PayoutProblems } from './payout-fields.ts'
import { clearNumbers, controlOf, fieldsOf } from './setup-controls.ts'
import { MethodChoice, NumberFields } from './setup-fields.tsx'
import { ProveFirst } from './prove-first.tsx'
import { useFormAnswer } from './use-form-answer.ts'

/** Milliseconds for which 'connected' shows (spec 2, section 4). */
export const noticeTime = 3000

/** What checks, and asks the provider: it comes after the page, and before it is needed. */
async function loadChecks() {
  const [{ payoutProblems }, { tokenize }] = await Promise.all([
    import('./payout-form.ts'),
    import('./tokenize.ts'),
  ])
  return { payoutProblems, tokenize }
}

/** A failure shows when connecting. */
const preloadChecks = () => void loadChecks().catch(() => {})

type SetupFormProps = {
  setup: PayoutSetup
  /** The answer that the page was sent with, where no script runs. */
  first?: BillingAnswer
  cancel: ReactNode
  /** The provider or the server is at it: whoever shows the form keeps it. */
  onBusy?: (busy: boolean) => void
  onDone: (words: string) => void
}

/** Where earnings go. Numbers go from here to the payment provider; we get what it gives for them. */
export function SetupForm({ setup, first, cancel, onBusy, onDone }: SetupFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const wasLeaving = useRef(false)
  const [problems, setProblems] = useState<PayoutProblems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const answered = useFormAnswer(
    '/payments/setup',
    (words) => {
      if (form.current) clearNumbers(form.current)
      onDone(words)
    },
    first,
  )
  const { fetcher, refusal } = answered
  const busy = isAsking || answered.busy
  useEffect(() => onBusy?.(busy), [onBusy, busy])
  const { tokens, method: before } = setup
  const typed = typedBefore(first)

  function show(found: PayoutProblems) {
    setProblems(found)
    const wrong = fieldOrder.find((name) => found[name] !== undefined)
    if (wrong && form.current) controlOf(form.current, wrong)?.focus()
  }

  async function connect(element: HTMLFormElement) {
    const fields = fieldsOf(element)
    const named = new FormData(element)
    setFailure(null)
    setIsAsking(true)
    const checks = await loadChecks().catch(() => null)
    // Who has left the page meanwhile wants nothing connected.
    if (!form.current) return
    setIsAsking(false)
    if (!checks) return setFailure(payoutMessages.failed)
    const found = checks.payoutProblems(fields, new Date())
    show(found)
    if (Object.keys(found).length > 0) return
    if (fields.method !== 'paypal') {
      if (!tokens) return
      setIsAsking(true)
      const tokenized = await checks.tokenize(tokens, fields)
      if (!form.current) return
      setIsAsking(false)
      if ('problems' in tokenized) return show(tokenized.problems)
      if ('failed' in tokenized) return setFailure(payoutMessages.failed)
      named.set('token', tokenized.token)
    }
    void fetcher.submit(named, { method: 'post', action: '/payments/setup' })
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent
    const leaves = submitter instanceof HTMLButtonElement && submitter.value === 'onboarding'
    if (!busy) wasLeaving.current = leaves
    if (leaves && !busy) return
    event.preventDefault()
    if (!busy) void connect(event.currentTarget)
  }

  function goOn() {
    if (wasLeaving.current) {
      void fetcher.submit({ intent: 'onboarding' }, { method: 'post', action: '/payments' })
    } else if (form.current) void connect(form.current)
  }

  return (
    <>
      <fetcher.Form
        ref={form}
        method="post"
        action="/payments/setup"
        noValidate
        onFocus={preloadChecks}
        onSubmit={submit}
        className="group/setup grid grid-cols-1 gap-5"
      >
        <MethodChoice setup={setup} typed={typed} />
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label="Account type" error={problems.accountType} className="sm:col-span-2">
            <Select
              name="accountType"
              data-field="accountType"
              defaultValue={typed.accountType ?? before?.accountType ?? 'individual'}
            >
              <option value="individual">Individual</option>
              <option value="business">Business</option>
            </Select>
          </Field>
          <Field label="First name" error={problems.firstName} required>
            <Input
              name="firstName"
              data-field="firstName"
              autoComplete="given-name"
              maxLength={80}
              defaultValue={typed.firstName ?? before?.firstName}
            />
          </Field>
          <Field label="Last name" error={problems.lastName} required>
            <Input
              name="lastName"
              data-field="lastName"
              autoComplete="family-name"
              maxLength={80}
              defaultValue={typed.lastName ?? before?.lastName}
            />
          </Field>
          <Field
            label="Email"
            error={problems.email}
            optional
            hint="Where the payment provider can reach you. Left empty, we use the one of your account."
            className="sm:col-span-2"
          >
            <Input
              name="email"
              data-field="email"
              type="email"
              autoComplete="email"
              defaultValue={typed.email}
            />
          </Field>
          <NumberFields setup={setup} problems={problems} typed={typed} />
        </div>
        {failure ? (
          <Banner tone="danger">{failure}</Banner>
        ) : (
          <AnswerBanner answer={busy ? undefined : refusal} />
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          {cancel}
          {!tokens && <LeaveButton busy={answered.busy} />}
          <Button
            type="submit"
            busy={busy}
            busyText="Connecting..."
            className={
              tokens ? undefined : 'hidden group-has-[[data-way=paypal]:checked]/setup:grid'
            }
          >
            Connect
          </Button>
        </div>
      </fetcher.Form>
      <ProveFirst answer={refusal} backTo="/payments/setup" onProven={goOn} />
    </>
  )
}

/** To the provider's own pages, where only those may ask for numbers. */
function LeaveButton({ busy }: { busy: boolean }) {
  return (
    <Button
      type="submit"
      name="intent"
      value="onboarding"
      formAction="/payments"
      busy={busy}
      busyText="Opening..."
      className="group-has-[[data-way=paypal]:checked]/setup:hidden"
    >
      Continue at the Payment Provider
      <ExternalLink size={18} aria-hidden />
    </Button>
  )
}
