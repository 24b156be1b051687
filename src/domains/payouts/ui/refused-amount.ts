import { ORPCError } from '@orpc/client'
import { refusedForm } from '../../billing/ui/refused-form.ts'
import { typedIn } from '../../support/ui/form-answer.ts'

/** The answer to a form about an amount that failed. Of what was refused, the reason is all: trying again is no help. */
export function refusedAmount(
  error: unknown,
  { failed, here, form }: { failed: string; here: string; form: FormData },
) {
  const isRefused = error instanceof ORPCError && error.status < 500
  return refusedForm(error, isRefused ? error.message : failed, here, typedIn(form))
}
