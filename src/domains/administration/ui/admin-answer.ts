import { ORPCError, safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import { unreached } from '../../../web/unreached.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { typedIn } from '../../support/ui/form-answer.ts'

/** What a form of these pages is answered: what was done, or why not. */
export type AdminAnswer = { done: string } | Refusal

export interface Refusal {
  problem: string
  intent: string
  /** As it was sent, so that nothing has to be typed again where no script runs. */
  typed: Record<string, string>
}

/** Why the form with this intent was refused, if it was. */
export const refusalOf = (answer: AdminAnswer | undefined, intent: string): Refusal | undefined =>
  answer && 'problem' in answer && answer.intent === intent ? answer : undefined

const failed = 'This did not work. Please try again.'

/** Makes the call of a form and puts what came of it into words. */
export async function answered(
  call: Promise<unknown>,
  { intent, done, here, form }: { intent: string; done: string; here: string; form: FormData },
) {
  const [error] = await safe(call)
  if (!error) return data<AdminAnswer>({ done })
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
