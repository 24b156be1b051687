import { expect, test } from 'vitest'
import type * as z from 'zod'
import { line, text, uuid } from './fields.ts'

/** What is made of it, or all that is said about it. */
const taken = (schema: z.ZodType, value: unknown) => {
  const { success, data, error } = schema.safeParse(value)
  return success ? data : error!.issues.map(({ message }) => message)
}

const title = line('Title', 10)
const rules = text('The rules', 10, 'Please write the rules')

test.each(['', ' \n\t ', '\u200b', ' \u2060\ufeff\u00ad\ufe0f ', '\u3164', '\u0000\u200d'])(
  'what nobody can see (%j) is missing, which is said once',
  (blank) => {
    expect(taken(title, blank)).toEqual(['Title is required'])
    expect(taken(rules, blank)).toEqual(['Please write the rules'])
  },
)

test('what is invisible stays beside what is not: emoji are joined by it', () => {
  expect(taken(title, ' a\n\u200bb ')).toBe('a \u200bb')
  expect(taken(rules, ' 👩\u200d🚀\r\nhere')).toBe('👩\u200d🚀\nhere')
})

test('an id in capitals is the same id', () => {
  const id = '0199aaaa-0000-7000-8000-00000000000a'
  expect(taken(uuid('A question'), id.toUpperCase())).toBe(id)
  expect(taken(uuid('A question'), `${id}0`)).toEqual(['A question is not a valid id'])
})

test('is as long as it may be, and no longer', () => {
  expect(taken(title, 'x'.repeat(10))).toBe('x'.repeat(10))
  expect(taken(title, 'x'.repeat(11))).toEqual(['Title can have at most 10 characters'])
  expect(taken(rules, 'x'.repeat(11))).toEqual(['The rules can have at most 10 characters'])
  expect(taken(title, 7)).toEqual(['Title is required'])
})
