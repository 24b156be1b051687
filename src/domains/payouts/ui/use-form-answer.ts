import { useEffect, useEffectEvent } from 'react'
import { useFetcher } from 'react-router'
import { useActionCode } from '../../../web/use-action-code.ts'
import type { BillingAnswer } from '../../billing/ui/billing-answer.ts'

/** A form that says what is wrong with it, and leaves once the server did what it asks for. */
export function useFormAnswer(
  page: string,
  onDone: (words: string) => void,
  first?: BillingAnswer,
) {
  const fetcher = useFetcher<BillingAnswer>()
  useActionCode(page)
  const busy = fetcher.state !== 'idle'
  const answer = busy ? undefined : (fetcher.data ?? first)
  const done = !busy && fetcher.data && 'done' in fetcher.data ? fetcher.data.done : null
  const finish = useEffectEvent(onDone)
  useEffect(() => {
    if (done !== null) finish(done)
  }, [done])
  return { fetcher, busy, refusal: answer && 'problem' in answer ? answer : undefined }
}
