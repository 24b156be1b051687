import { expect, test } from 'vitest'
import { emojis } from './emojis.ts'
import { recentFrom } from './recent-emojis.ts'

const recent = (stored: string | null) => recentFrom(stored).map(({ emoji }) => emoji)

test('there are fifty emojis, each with a name of its own', () => {
  expect(emojis).toHaveLength(50)
  expect(new Set(emojis.map(({ emoji }) => emoji)).size).toBe(50)
  expect(new Set(emojis.map(({ name }) => name)).size).toBe(50)
})

test.each([
  [null, ['👍', '❤️']],
  ['["🔥"]', ['🔥', '👍']],
  ['["❤️","🔥"]', ['❤️', '🔥']],
  ['["<b>","🔥",7,null]', ['🔥', '👍']],
  ['{"a":1}', ['👍', '❤️']],
  ['no json', ['👍', '❤️']],
])('two are recent of %j', (stored, expected) => {
  expect(recent(stored)).toEqual(expected)
})
