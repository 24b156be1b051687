import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { answered, refusalOf } from './admin-answer.ts'

const form = new FormData()
form.append('intent', 'suspend')
form.append('reason', 'The pictures are not yours.')

const asked = (call: Promise<unknown>) =>
  answered(call, { intent: 'suspend', done: 'Done.', here: '/admin', form })

test('a form that is refused gets its words back, and no other one', async () => {
  const { data, init } = await asked(Promise.reject(new ORPCError('CONFLICT', { status: 409 })))
  expect(init?.status).toBe(409)
  expect(refusalOf(data, 'suspend')?.typed.reason).toBe('The pictures are not yours.')
  expect(refusalOf(data, 'lift')).toBeUndefined()
  expect(refusalOf((await asked(Promise.resolve())).data, 'suspend')).toBeUndefined()
})
