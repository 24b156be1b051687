import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { joinProblem } from './join-problem.ts'

const said = (code: string, status: number) => new ORPCError(code, { status, message: 'In words' })

test.each([
  [said('COURSE_FULL', 409), 409, 'In words'],
  [
    said('SERVICE_UNAVAILABLE', 503),
    503,
    'There was a temporary issue with enrollment. Please try again in a moment.',
  ],
  [said('INTERNAL_SERVER_ERROR', 500), 500, 'Failed to enroll in course. Please try again.'],
  [new TypeError('Failed to fetch'), 500, 'Failed to enroll in course. Please try again.'],
])('%s is answered with %i: %s', (error, status, problem) => {
  expect(joinProblem(error)).toEqual({ problem, status })
})
