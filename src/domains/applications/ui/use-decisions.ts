import { safe } from '@orpc/client'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { client } from '../../../web/api-client.ts'
import { isServerError } from '../../../web/call-outcome.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import type { Application, Decision } from '../schema.ts'
import type { ReviewDraft } from './review-application.tsx'

const reviewFailed = 'Failed to review application. Please try again.'

type Failure = { id: string; message: string }

type DecisionOptions = { courseId: string; onDone: (application: Application) => void }

/** One decision at a time, sent at once. */
export function useDecision({ courseId, onDone }: DecisionOptions) {
  const { revalidate } = useRevalidator()
  const [deciding, setDeciding] = useState<{ id: string; decision: Decision } | null>(null)
  const [problem, setProblem] = useState<Failure | null>(null)

  async function decide(id: string, decision: Decision, draft: ReviewDraft) {
    if (deciding) return
    setDeciding({ id, decision })
    setProblem(null)
    const [error, reviewed] = await safe(
      client.applications.reviewApplication({ courseId, applicationId: id, decision, ...draft }),
    )
    setDeciding(null)
    if (!error) return onDone(reviewed)
    setProblem({ id, message: refusalProblem(error, reviewFailed) })
    // Perhaps it was decided elsewhere, or withdrawn. Signed out it would lead to /login, without the notes.
    if (!isServerError(error) || error.status !== 401) void revalidate()
  }

  return { deciding, problem, decide }
}

/** Several applications, and a decision about them that can be taken back for a while. */
export function useSelection(courseId: string) {
  const { revalidate } = useRevalidator()
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [deciding, setDeciding] = useState<Decision | null>(null)
  const [problem, setProblem] = useState<string>()

  function set(next: Iterable<string>) {
    setIds(new Set(next))
    setProblem(undefined)
  }

  return {
    ids,
    set,
    deciding,
    problem,
    change: (id: string, isSelected: boolean) =>
      set(isSelected ? [...ids, id] : [...ids].filter((one) => one !== id)),
    async decide(applicationIds: string[], decision: Decision) {
      if (deciding) return
      setDeciding(decision)
      setProblem(undefined)
      const [error] = await safe(
        client.applications.decideApplications({ courseId, applicationIds, decision }),
      )
      if (!error) await revalidate()
      setDeciding(null)
      if (error) setProblem(refusalProblem(error, reviewFailed))
      else set([])
    },
  }
}
