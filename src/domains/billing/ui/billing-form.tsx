import { type ComponentProps, type RefObject, useEffect, useEffectEvent } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { useActionCode } from '../../../web/use-action-code.ts'
import { AnswerBanner } from './answer-banner.tsx'
import type { BillingAnswer } from './billing-answer.ts'
import { takeLostFocus } from './take-lost-focus.ts'

interface BillingFormProps extends Pick<ComponentProps<typeof Button>, 'size' | 'aria-label'> {
  /** Whose action is asked; the billing page's where it is left out. */
  page?: string
  /** What for, with its `intent`. */
  fields: { intent: string } & Record<string, string>
  label: string
  busyText: string
  /** Instead of leaving it out: its button goes with what it changed, and it has yet to say that it worked. */
  isOffered?: boolean
  /** Takes the focus when the button is gone. */
  place: RefObject<HTMLElement | null>
}

/** One button that changes something at once; why it did not stands below it. */
export function BillingForm({
  page = '/billing',
  fields,
  label,
  busyText,
  isOffered = true,
  place,
  ...button
}: BillingFormProps) {
  const fetcher = useFetcher<BillingAnswer>()
  useActionCode(page)
  const busy = fetcher.state !== 'idle'
  const answer = busy ? undefined : fetcher.data
  const done = answer && 'done' in answer ? answer.done : null
  const finish = useEffectEvent((words: string) => {
    void toast.success(words)
    takeLostFocus(place.current)
  })
  useEffect(() => {
    if (done) finish(done)
  }, [done])

  if (!isOffered) return null
  return (
    <fetcher.Form
      method="post"
      action={page}
      onSubmit={(event) => busy && event.preventDefault()}
      className="grid gap-3"
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" busy={busy} busyText={busyText} {...button}>
        {label}
      </Button>
      {done === null && <AnswerBanner answer={answer} />}
    </fetcher.Form>
  )
}
