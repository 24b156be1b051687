import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { payProblem } from './pay-words.ts'

const refusal = (code: string, status: number, message: string) =>
  new ORPCError(code, { status, message })

test.each([
  ['a refusal', refusal('SOLD_OUT', 409, 'This course is full.'), 'This course is full.', 409],
  [
    'trouble of the provider that is known',
    refusal('PAYMENT_PROVIDER_FAILED', 503, 'The payment service is busy.'),
    'The payment service is busy.',
    503,
  ],
  [
    'a failure of ours',
    refusal('INTERNAL_SERVER_ERROR', 500, 'Tell us this number: 1'),
    'Server error occurred. Please try again later.',
    500,
  ],
  ['anything else', new Error('what?'), 'Failed to create checkout session', 500],
])('%s', (_, error, problem, status) => {
  expect(payProblem(error)).toEqual({ problem, status })
})
