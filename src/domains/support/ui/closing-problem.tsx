import { type MouseEvent, useEffect, useRef } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import type { SupportMessage } from '../schema.ts'
import { closingProblemOf, type FormAnswer } from './form-answer.ts'

type ClosingProblemProps = {
  answer: FormAnswer | undefined
  messages: SupportMessage[]
}

/**
 * Why the request was not closed, beside the button that was pressed: the form at the end of a long conversation is out
 * of sight, and so is what was written meanwhile.
 */
export function ClosingProblem({ answer, messages }: ClosingProblemProps) {
  const place = useRef<HTMLDivElement>(null)
  const problem = closingProblemOf(answer)
  useEffect(() => {
    if (problem) place.current?.focus()
  }, [problem])
  if (!problem) return null
  const { code, typed } = problem
  const unread = code === 'WRITTEN_MEANWHILE' && messages[Number(typed.messagesRead)]
  return (
    <div ref={place} tabIndex={-1} className="rounded-card outline-offset-4">
      <Banner tone="danger" action={unread && <UnreadLink id={unread.id} />}>
        {problem.problem}
      </Banner>
    </div>
  )
}

function UnreadLink({ id }: { id: string }) {
  // The address stays as it is: a visit to it would take this notice away, and give the focus to nothing.
  function goThere(event: MouseEvent) {
    event.preventDefault()
    document.getElementById(id)?.focus()
  }
  return (
    <a
      href={`#${id}`}
      onClick={goThere}
      className={buttonClass({ variant: 'secondary', size: 'sm' })}
    >
      Read what was written
    </a>
  )
}
