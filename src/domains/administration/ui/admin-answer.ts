import { ORPCError, safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import { unreached } from '../../../web/unreached.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { typedIn } from '../../support/ui/form-answer.ts'

/**
 * What a form of these pages is answered: what was done, or why not. `about` is the id of what was settled, where a list
 * has to know it.
 */
export type AdminAnswer = { done: string; about?: string } | Refusal

export interface Refusal {
  problem: string
  intent: string
  /** As it was sent, so that nothing has to be typed again where no script runs. */
  typed: Record<string, string>
}

/** Why the form with this intent was refused, if it was. */
export const refusalOf = (answer: AdminAnswer | undefined, intent: string): Refusal | undefined =>
  answer && 'problem' in answer && answer.intent === intent ? answer : undefined

/** What was settled; undefined when it was refused. */
export const settledBy = (answer: AdminAnswer | undefined): string | undefined =>
  answer && 'done' in answer ? answer.about : undefined

const failed = 'This did not work. Please try again.'

/** Makes the call of a form and puts what came of it into words. */
export async function answered(
  call: Promise<unknown>,
  {
    intent,
    done,
    about,
    here,
    form,
  }: { intent: string; done: string; about?: string; here: string; form: FormData },
) {
  const [error] = await safe(call)
  if (!error) return data<AdminAnswer>({ done, about })
  const status = error instanceof ORPCError ? error.status : 500
  if (status === 401) throw redirect(`/login?to=${encodeURIComponent(here)}`)
  const refusal = { problem: callProblem(error, failed), intent, typed: typedIn(form) }
  return data<AdminAnswer>(refusal, { status })
}

/** Without a connection the form stays as it is, and says so. */
export const orUnreached = (intent: string) => (error: unknown) => {
  if (error instanceof Response) throw error
  return unreached<AdminAnswer>({ problem: failed, intent, typed: {} })
}
