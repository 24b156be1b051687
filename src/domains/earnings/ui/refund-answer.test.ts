import { expect, test } from 'vitest'
import type { Sale } from '../schema.ts'
import { refundAnswer } from './refund-answer.ts'

const [requestId, another] = [
  '01a22400-0000-7000-8000-000000000001',
  '01a22400-0000-7000-8000-000000000002',
]
const typed = { amount: '8.00', requestId }
const sent = { amount: 800, requestId, typed }

const sale = (refund: Partial<NonNullable<Sale['refund']>>) => ({
  currency: 'usd',
  refund: { id: requestId, amount: 800, status: 'waiting', refusal: null, ...refund } as const,
})

test.each(['waiting', 'done'] as const)('a refund that is %s is on its way', (status) => {
  expect(refundAnswer(sale({ status }), sent)).toEqual({
    done: '$8.00 is on its way back to the buyer.',
  })
})

test('one that was refused is over, and what is asked for from there on is another one', () => {
  const refused = { amount: 1500, status: 'refused', refusal: 'The card is gone.' } as const
  const answer = refundAnswer(sale(refused), sent)
  expect(answer).toMatchObject({
    problem: '$15.00 could not be paid back.',
    detail: 'The card is gone.',
    typed: { amount: '8.00', requestId: expect.not.stringContaining(requestId) },
  })
})

test.each(['waiting', 'done', 'refused'] as const)(
  'of another one, which is %s, nothing is said but that it was asked for',
  (status) => {
    expect(refundAnswer(sale({ id: another, status }), sent)).toEqual({
      problem: 'Another refund of this sale was asked for since.',
      detail: 'Look at the sale before you pay back more.',
      typed,
    })
  },
)

test('a form that knows of no id is answered with the last one', () => {
  const old = { amount: 800, typed: {} }
  expect(refundAnswer(sale({ id: another }), old)).toHaveProperty('done')
  expect(refundAnswer(sale({ id: another, status: 'refused' }), old)).toHaveProperty('problem')
})
