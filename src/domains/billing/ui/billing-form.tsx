import type { ComponentProps } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { AnswerBanner } from './answer-banner.tsx'
import type { BillingAnswer } from './billing-answer.ts'

interface BillingFormProps extends Pick<ComponentProps<typeof Button>, 'size' | 'aria-label'> {
  /** What the billing page's action is asked for, with its `intent`. */
  fields: { intent: string } & Record<string, string>
  label: string
  busyText: string
}

/** One button that changes something at once, with the answer below it. */
export function BillingForm({ fields, label, busyText, ...button }: BillingFormProps) {
  const fetcher = useFetcher<BillingAnswer>()
  const busy = fetcher.state !== 'idle'
  return (
    <fetcher.Form
      method="post"
      action="/billing"
      onSubmit={(event) => busy && event.preventDefault()}
      className="grid gap-3"
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" busy={busy} busyText={busyText} {...button}>
        {label}
      </Button>
      {!busy && <AnswerBanner answer={fetcher.data} />}
    </fetcher.Form>
  )
}
