import { ORPCError } from '@orpc/client'
import { expect, test, vi } from 'vitest'
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

test.each([502, 503, 504, 520, 413])(
  'what a proxy says in the place of the server (%i) is for nobody to read',
  async (status) => {
    vi.stubGlobal('location', { origin: 'http://thunder.test' })
    const page = new Response('<h1>No backend</h1>', {
      status,
      headers: { 'content-type': 'text/html' },
    })
    vi.stubGlobal('fetch', async () => page)
    // The client keeps the first `fetch` that it met.
    vi.resetModules()
    const { client } = await import('../../../web/api-client-now.ts')
    const error = await client.courses.getMyDashboard().catch((thrown: unknown) => thrown)
    vi.unstubAllGlobals()
    expect(error).toMatchObject({ status })
    expect(callProblem(error, failed)).toBe(failed)
  },
)

test.each([
  ['IDEMPOTENCY_IN_FLIGHT', /still under way/],
  ['IDEMPOTENCY_ANSWER_LOST', /made already.*dashboard/],
])('whoever made a course without hearing of it reads nothing of keys (%s)', (code, words) => {
  const message = 'A request with this Idempotency-Key …'
  expect(callProblem(new ORPCError(code, { status: 409, message }), failed)).toMatch(words)
})

test('where something else was made already it says so in its own words', () => {
  const lost = new ORPCError('IDEMPOTENCY_ANSWER_LOST', {
    status: 409,
    message: 'Idempotency-Key …',
  })
  const made = 'Your post was made already.'
  expect(refusalProblem(lost, failed, made)).toBe(made)
  expect(refusalProblem(said(409), failed, made)).toBe('In words')
})
