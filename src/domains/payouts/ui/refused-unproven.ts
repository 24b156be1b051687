import { ORPCError } from '@orpc/client'
import { data } from 'react-router'
import type { ApiClient } from '../../../server/contract-calls.ts'
import type { BillingAnswer } from '../../billing/ui/billing-answer.ts'
import { refusedForm } from '../../billing/ui/refused-form.ts'

/** The same for a call that takes a proof of who one is: where that is what is missing, with how it can be given. */
export async function refusedUnproven(
  api: ApiClient,
  error: unknown,
  problem: string,
  here: string,
  typed?: Record<string, string>,
) {
  const isUnproven = error instanceof ORPCError && error.code === 'PROOF_NEEDED'
  if (!isUnproven) return refusedForm(error, problem, here, typed)
  const { hasPassword } = await api.accounts.getMySecurity()
  const proof = hasPassword ? 'password' : 'logIn'
  return data<BillingAnswer>({ problem: error.message, proof, typed }, { status: 403 })
}
