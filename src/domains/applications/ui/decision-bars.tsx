import { safe } from '@orpc/client'
import { Undo2 } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { client } from '../../../web/api-client.ts'
import { takeLostFocus } from '../../billing/ui/take-lost-focus.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { secondsToUndo } from '../rules.ts'
import type { Decision } from '../schema.ts'
import type { DueDecision } from './queue-rules.ts'

const bar = 'rounded-card border bg-raised p-3 shadow-raised sm:px-5'

type SelectionBarProps = {
  count: number
  /** The decision that is being sent. */
  deciding: Decision | null
  problem: string | undefined
  onDecide: (decision: Decision) => void
  onClear: () => void
  /** Takes the focus when what was pressed here is gone. */
  place: RefObject<HTMLElement | null>
}

/** What to do with those that are selected. */
export function SelectionBar({
  count,
  deciding,
  problem,
  onDecide,
  onClear,
  place,
}: SelectionBarProps) {
  useEffect(() => () => takeLostFocus(place.current), [place])
  return (
    <section aria-label="Selected applications" className={`${bar} grid gap-3`}>
      {problem && <Banner tone="danger">{problem}</Banner>}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <output className="font-semibold tabular-nums">{count} selected</output>
        <div className="flex flex-wrap gap-2">
          <Button variant="ghost" size="sm" onClick={onClear}>
            Clear
          </Button>
          <Button
            variant="secondary"
            size="sm"
            busy={deciding === 'rejected'}
            onClick={() => onDecide('rejected')}
          >
            Reject selected
          </Button>
          <Button size="sm" busy={deciding === 'approved'} onClick={() => onDecide('approved')}>
            Approve selected
          </Button>
        </div>
      </div>
    </section>
  )
}

type DueBarProps = {
  courseId: string
  due: DueDecision
  /** The list is to be read again: it was taken back, or carried out. */
  onChange: () => void
  /** Takes the focus when 'Undo' is gone with what it took back. */
  place: RefObject<HTMLElement | null>
}

/** A decision about several that can still be taken back, here and in every other tab. */
export function DueBar({ courseId, due, onChange, place }: DueBarProps) {
  const left = useSecondsLeft(due.millisecondsLeft, onChange)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const doing = due.decision === 'approved' ? 'Approving' : 'Rejecting'
  const what = `${doing} ${countLabel(due.count, 'application')}`
  const isUndone = useRef(false)
  useEffect(
    () => () => {
      if (isUndone.current) takeLostFocus(place.current)
    },
    [place],
  )

  async function undo() {
    setBusy(true)
    setProblem(undefined)
    const [error] = await safe(client.applications.undoDecision({ courseId, decisionId: due.id }))
    setBusy(false)
    if (error) setProblem(callProblem(error, 'Failed to undo. Please try again.'))
    else isUndone.current = true
    onChange()
  }

  return (
    <section aria-label="Decision under way" className={`${bar} grid gap-2`}>
      {problem && <Banner tone="danger">{problem}</Banner>}
      <div className="flex items-center justify-between gap-4">
        <p className="font-semibold tabular-nums">
          {/* Said once, not every second. */}
          <output className="sr-only">
            {what} in {secondsToUndo} seconds. Undo takes it back.
          </output>
          <span aria-hidden>{left > 0 ? `${what} in ${left} s` : `${what}…`}</span>
        </p>
        {left > 0 && (
          <Button variant="secondary" size="sm" busy={busy} onClick={() => void undo()}>
            <Undo2 size={16} aria-hidden />
            Undo
          </Button>
        )}
      </div>
      <Progress
        hideLabel
        size="sm"
        label="Time left to undo"
        valueText={left > 0 ? undefined : 'Being carried out'}
        percent={(100 * (secondsToUndo - left)) / secondsToUndo}
      />
    </section>
  )
}

/** Asks again from the end on, as long as the decision is there: an event may have been missed. */
function useSecondsLeft(milliseconds: number, onOver: () => void): number {
  // The clock of this computer may be wrong; how fast it goes is not.
  const [end] = useState(() => performance.now() + milliseconds)
  const [left, setLeft] = useState(secondsToUndo)
  const over = useEffectEvent(onOver)

  useEffect(() => {
    let ticksOver = 0
    function tick() {
      const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000))
      setLeft(seconds)
      if (seconds > 0) return
      if (ticksOver % 3 === 1) over()
      ticksOver += 1
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [end])

  return left
}
