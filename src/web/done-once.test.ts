import { ORPCError } from '@orpc/client'
import { expect, test, vi } from 'vitest'
import { doneOnce } from './done-once.ts'

const call = vi.fn<(key: string) => Promise<string>>()
const keys = () => call.mock.calls.map(([key]) => key)
const lost = new TypeError('Failed to fetch')

test('what is tried again without an answer has the same key; what was answered, or is another thing, has not', async () => {
  const once = doneOnce()
  call.mockRejectedValueOnce(lost).mockResolvedValue('made')
  await expect(once({ title: 'A' }, call)).rejects.toBe(lost)
  expect(await once({ title: 'A' }, call)).toBe('made')
  await once({ title: 'A' }, call)
  call.mockRejectedValueOnce(lost)
  await expect(once({ title: 'B' }, call)).rejects.toBe(lost)
  await once({ title: 'C' }, call)
  const [first, second, third, fourth, fifth] = keys()
  expect(second).toBe(first)
  expect(new Set([first, third, fourth, fifth]).size).toBe(4)
})

test('what is asked for twice at once is done once, and both are told', async () => {
  const once = doneOnce()
  call.mockReset()
  const answer = Promise.withResolvers<string>()
  call.mockReturnValueOnce(answer.promise).mockResolvedValue('another')
  const both = [once('post', call), once('post', call)]
  const other = once('other post', call)
  answer.resolve('made')
  expect(await Promise.all([...both, other])).toEqual(['made', 'made', 'another'])
  expect(await once('post', call)).toBe('another')
  expect(new Set(keys()).size).toBe(3)
})

test('what fails for one fails for the other, and is the same thing when it is tried again', async () => {
  const once = doneOnce()
  call.mockReset()
  call.mockRejectedValueOnce(lost).mockResolvedValue('made')
  const both = await Promise.allSettled([once('post', call), once('post', call)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await once('post', call)).toBe('made')
  expect(new Set(keys()).size).toBe(1)
})

test.each([
  ['refused is another thing when it is tried again', 'COURSE_LIMIT', 409, false],
  ['still under way is the same thing', 'IDEMPOTENCY_IN_FLIGHT', 409, true],
  ['done, as people were told, is another thing', 'IDEMPOTENCY_ANSWER_LOST', 409, false],
  ['perhaps done behind a proxy is the same thing', 'BAD_GATEWAY', 502, true],
  ['perhaps done by a server that failed then is the same thing', 'UNAVAILABLE', 503, true],
  ['perhaps done too late is the same thing', 'GATEWAY_TIMEOUT', 504, true],
])('what was %s', async (_what, code, status, isSame) => {
  const once = doneOnce()
  call.mockReset()
  call.mockRejectedValueOnce(new ORPCError(code, { status })).mockResolvedValue('made')
  await expect(once('course', call)).rejects.toThrow()
  await once('course', call)
  expect(new Set(keys()).size).toBe(isSame ? 1 : 2)
})
