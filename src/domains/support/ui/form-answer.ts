import { ORPCError } from '@orpc/client'
import { redirect } from 'react-router'
import { unreached } from '../../../web/unreached.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'

/** What a form shows when what it sent was not taken. */
export interface FormAnswer {
  problem: string
  /** What is wrong with which field, by the names of the call. */
  fields: Record<string, string>
  code: string
  /** As it was sent, so that nothing has to be typed again. */
  typed: Record<string, string>
}

/** With the status to answer with; who is signed in no more goes to log in, and comes back. */
export function formAnswer(
  error: unknown,
  { failed, here, form }: { failed: string; here: string; form: FormData },
): [FormAnswer, { status: number }] {
  const refusal = error instanceof ORPCError ? error : null
  if (refusal?.status === 401) throw redirect(`/login?to=${encodeURIComponent(here)}`)
  const wrong = (refusal?.data as { fields?: { path: string; message: string }[] } | undefined)
    ?.fields
  return [
    {
      problem: callProblem(error, failed),
      fields: Object.fromEntries((wrong ?? []).map(({ path, message }) => [path, message])),
      code: refusal?.code ?? 'UNREACHED',
      typed: typedIn(form),
    },
    { status: refusal?.status ?? 500 },
  ]
}

/**
 * In the browser, when the server was not reached: the form itself still holds what was typed. `form` for a page that
 * says what is wrong at different places.
 */
export const orUnreached =
  (failed: string, form: FormData = new FormData()) =>
  (error: unknown) => {
    if (error instanceof Response) throw error
    const typed = typedIn(form)
    return unreached<FormAnswer>({ problem: failed, fields: {}, code: 'UNREACHED', typed })
  }

/** What is said beside the button that closes a request, and not in the form, which may be far from it. */
export const closingProblemOf = (answer: FormAnswer | undefined) =>
  answer?.typed.intent === 'close' ? answer : undefined

/** The texts of a form, by the names of its fields. */
export const typedIn = (form: FormData) =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
