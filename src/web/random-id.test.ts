import { expect, test } from 'vitest'
import * as z from 'zod'
import { randomId } from './random-id.ts'

test('a random id is a UUID of version 4, and another each time', () => {
  const ids = Array.from({ length: 1000 }, randomId)
  for (const id of ids) expect(z.uuidv4().safeParse(id).success).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})
