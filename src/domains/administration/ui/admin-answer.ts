import { ORPCError, safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import { callProblem } from '../../courses/ui/call-problem.ts'

/** What a form of these pages is answered: what was done, or why not. */
export type AdminAnswer = { done: string } | { problem: string; intent: string }

const failed = 'This did not work. Please try again.'

/** Makes the call of a form and puts what came of it into words. */
export async function answered(
  call: Promise<unknown>,
  { intent, done, here }: { intent: string; done: string; here: string },
) {
  const [error] = await safe(call)
  if (!error) return data<AdminAnswer>({ done })
  const status = error instanceof ORPCError ? error.status : 500
  if (status === 401) throw redirect(`/login?to=${encodeURIComponent(here)}`)
  return data<AdminAnswer>({ problem: callProblem(error, failed), intent }, { status })
}

/** Without a connection the form stays as it is, and says so. */
export const orUnreached =
  (intent: string) =>
  (error: unknown): AdminAnswer => {
    if (error instanceof Response) throw error
    return { problem: failed, intent }
  }
