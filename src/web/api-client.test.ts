import { expect, test, vi } from 'vitest'
import { client } from './api-client.ts'

vi.mock('./api-client-now.ts', () => ({
  client: {
    courses: {
      getCoursePage: async (input: unknown) => ({ asked: input }),
      deleteCourse: async () => Promise.reject(new Error('Refused.')),
    },
  },
}))

test('a call reaches the call of its path, with what it was given', async () => {
  const { courses } = client
  expect(await courses.getCoursePage({ slug: 'tea' })).toEqual({ asked: { slug: 'tea' } })
})

test('a refusal is the one of the call', async () => {
  await expect(client.courses.deleteCourse({ courseId: 'x', title: '' })).rejects.toThrow(
    'Refused.',
  )
})
