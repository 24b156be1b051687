import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { callProblem, refusalProblem } from './call-problem.ts'

const failed = 'Failed to save course. Please try again.'
const said = (status: number) => new ORPCError('SOMETHING', { status, message: 'In words' })

test.each([400, 403, 409, 422, 429, 499])(
  'what the server refuses (%i) it says itself',
  (status) => {
    expect(refusalProblem(said(status), failed)).toBe('In words')
  },
)

test.each([500, 502, 503, 507])(
  'where it fails (%i) the words are those of the specification, or its own where there are none',
  (status) => {
    expect(refusalProblem(said(status), failed)).toBe(failed)
    expect(callProblem(said(status), failed)).toBe('In words')
  },
)

test.each([new TypeError('Failed to fetch'), null, 'no'])('without an answer, too', (error) => {
  expect(refusalProblem(error, failed)).toBe(failed)
  expect(callProblem(error, failed)).toBe(failed)
})

test('who is signed out meanwhile is told what to do, and that nothing is lost', () => {
  const signedOut = new ORPCError('UNAUTHORIZED', { message: 'User must be authenticated' })
  expect(refusalProblem(signedOut, failed)).toMatch(/^You are no longer signed in\..*still here\.$/)
})
