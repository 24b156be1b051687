import { ORPCError } from '@orpc/client'
import { data, redirect } from 'react-router'
import type { BillingAnswer } from './billing-answer.ts'

/** The answer to a form whose call failed: its sentence, and the server's own words if it has some. */
export function refusedForm(
  error: unknown,
  problem: string,
  here: string,
  typed?: Record<string, string>,
) {
  const refusal = error instanceof ORPCError ? error : null
  if (refusal?.status === 401) throw redirect(`/login?to=${encodeURIComponent(here)}`)
  return data<BillingAnswer>(
    { problem, detail: refusal?.message, typed },
    { status: refusal?.status ?? 500 },
  )
}
