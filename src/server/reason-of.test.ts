import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { reasonOf, sentenceOf } from './reason-of.ts'

const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}:5432`)

test('of a name with several addresses the reason is that of the last', () => {
  const both = new AggregateError([refused('::1'), refused('127.0.0.1')])
  expect(reasonOf(both)).toBe('connect ECONNREFUSED 127.0.0.1:5432')
  expect(sentenceOf(both)).toBe('connect ECONNREFUSED 127.0.0.1:5432.')
})

test('a query that fails is not repeated: its reason is', () => {
  const cause = new Error('permission denied for database thunder')
  const failed = new DrizzleQueryError('CREATE SCHEMA "drizzle"', [], cause)
  expect(sentenceOf(failed)).toBe('permission denied for database thunder.')
  expect(sentenceOf(new Error('PORT is "x".'))).toBe('PORT is "x".')
  expect(sentenceOf('whatever')).toBe('whatever.')
})
