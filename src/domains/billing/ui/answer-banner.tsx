import { Banner } from '../../../ui/banner.tsx'
import type { BillingAnswer } from './billing-answer.ts'

/** What came of a form; nothing before it was sent. */
export function AnswerBanner({ answer }: { answer: BillingAnswer | undefined }) {
  if (!answer) return null
  if ('done' in answer) return <Banner tone="success">{answer.done}</Banner>
  return (
    <Banner tone="danger" title={answer.problem}>
      {answer.detail !== answer.problem && answer.detail}
      {answer.proof && <noscript> Log out and log in again for that, and come back.</noscript>}
    </Banner>
  )
}
