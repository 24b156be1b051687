import { CornerDownRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CourseReview } from '../schema.ts'
import { ReviewDay } from './review-day.tsx'
import { ReviewText } from './review-text.tsx'

type GivenAnswerProps = {
  answer: NonNullable<CourseReview['answer']>
  cut?: boolean
  /** What its writer can do with it. */
  action?: ReactNode
}

/** The instructor's answer below a review. */
export function GivenAnswer({ answer, cut, action }: GivenAnswerProps) {
  return (
    <div className="grid max-w-[44rem] gap-1.5 rounded-card bg-wash px-4 py-3.5 sm:ml-6">
      <p className="flex flex-wrap items-center gap-x-2.5 text-sm">
        <span className="inline-flex items-center gap-1.5 font-semibold">
          <CornerDownRight size={16} aria-hidden />
          Answer from the instructor
        </span>
        <ReviewDay moment={answer.answeredAt} />
      </p>
      <ReviewText text={answer.text} className={cut ? 'line-clamp-4' : undefined} />
      {action}
    </div>
  )
}
