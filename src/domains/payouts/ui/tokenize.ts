import * as z from 'zod'
import type { PayoutSetup } from '../schema.ts'
import type { PayoutFields, PayoutProblems } from './payout-fields.ts'
import { refusedField, tokenRequest } from './payout-form.ts'
import { payoutMessages } from '../rules.ts'

const answered = z.object({ id: z.string() })
const refused = z.object({
  error: z.object({
    code: z.string().default(''),
    param: z.string().default(''),
    message: z.string().default(''),
  }),
})

type Tokenized = { token: string } | { problems: PayoutProblems } | { failed: true }

/** Gives the numbers to the payment provider, and to nobody else, for a token that stands for them. */
export async function tokenize(
  { url, publishableKey }: NonNullable<PayoutSetup['tokens']>,
  fields: PayoutFields,
): Promise<Tokenized> {
  const said = await ask(url, publishableKey, fields)
  const token = answered.safeParse(said).data
  if (token) return { token: token.id }
  const error = refused.safeParse(said).data?.error
  const field = error && refusedField(error.code, error.param)
  if (!field) return { failed: true }
  return { problems: { [field]: error.message || payoutMessages.failed } }
}

async function ask(url: string, publishableKey: string, fields: PayoutFields): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}` },
      body: new URLSearchParams(tokenRequest(fields)),
      // Neither our cookie nor the address of this page is the provider's business.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    return await response.json()
  } catch {
    return null
  }
}
