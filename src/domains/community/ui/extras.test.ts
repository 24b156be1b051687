import { expect, test } from 'vitest'
import { type Extras, extrasProblem, noExtras } from './extras.ts'

const now = new Date('2026-11-22T12:00:00Z')
const problemOf = (extras: Partial<Extras>) => extrasProblem({ ...noExtras(), ...extras }, now)
const poll = (closesAt: string) => ({ options: ['Yes', 'No'], closesAt })

test('a post that is published at once, or at a time to come, has nothing wrong', () => {
  expect(problemOf({})).toBeNull()
  expect(problemOf({ scheduledFor: '2026-11-24T10:00' })).toBeNull()
  expect(problemOf({ poll: poll('') })).toBeNull()
  expect(problemOf({ poll: poll('2026-11-24T10:00') })).toBeNull()
})

test('a year of five digits is no time, and is asked for again', () => {
  expect(problemOf({ scheduledFor: '20266-11-24T10:00' })).toBe(
    'Please choose when the post is published',
  )
  expect(problemOf({ poll: poll('20266-11-24T10:00') })).toBe('Please choose when the poll ends')
})
