import { Banner } from '../../../ui/banner.tsx'
import type { AdminAnswer } from './admin-answer.ts'

export function AnswerBanner({ answer }: { answer: AdminAnswer | undefined }) {
  if (!answer) return null
  return 'done' in answer ? (
    <Banner tone="success">{answer.done}</Banner>
  ) : (
    <Banner tone="danger">{answer.problem}</Banner>
  )
}
