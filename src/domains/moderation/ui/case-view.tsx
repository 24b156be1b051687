import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { client } from '../../../web/api-client.ts'
import { useAnswer } from '../../../web/use-answer.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import type { CaseDetails } from '../schema.ts'
import { CaseDecision } from './case-decision.tsx'
import { CaseHistory, CaseReports, ReportedText } from './case-facts.tsx'
import { toggleOf } from './case-item.tsx'

type CaseViewProps = {
  caseId: string
  courseId: string
  now: Date
  onDecided: (details: CaseDetails) => void
}

/** All that is known about a case, and what can be done about it. */
export function CaseView({ caseId, courseId, now, onDecided }: CaseViewProps) {
  const { answer, hasFailed, again } = useAnswer(caseId, () =>
    client.moderation.getCase({ caseId }),
  )
  /** What the server said to a decision counts until it is asked again. */
  const [decided, setDecided] = useState<{ over: CaseDetails | null; details: CaseDetails }>()
  const details = decided && decided.over === answer ? decided.details : answer
  useLiveEvents({
    onEvent: (event) => {
      if (event.type === 'moderation' && event.courseId === courseId) again()
    },
    onGap: again,
  })

  function take(next: CaseDetails, done: string) {
    flushSync(() => {
      setDecided({ over: answer, details: next })
      onDecided(next)
    })
    // The button that was pressed may have gone.
    document.getElementById(toggleOf(caseId))?.focus({ preventScroll: true })
    void toast.success(done)
  }

  if (!details) {
    return hasFailed ? (
      <ErrorState
        level={3}
        title="This case could not be loaded"
        description="It may have gone meanwhile, or the connection is lost."
        onRetry={again}
      />
    ) : (
      <Loading label="Loading the case…" className="grid gap-4">
        <Skeleton className="h-16" />
        <Skeleton className="w-1/2" />
        <Skeleton className="h-24" />
      </Loading>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <ReportedText details={details} />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:gap-10">
        <CaseReports details={details} now={now} />
        <CaseHistory details={details} now={now} />
      </div>
      <CaseDecision details={details} onDecided={take} onConflict={again} />
    </div>
  )
}
