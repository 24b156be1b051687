import { expect, test } from 'vitest'
import { firstFreeName } from './first-free-name.ts'

/** Asks about a name that others have with these numbers; answers what is free, and how often was asked. */
async function asked(...numbers: number[]) {
  const taken = new Set(numbers.map((number) => (number === 1 ? 'bread' : `bread-${number}`)))
  const questions: string[][] = []
  const free = await firstFreeName('bread', async (names) => {
    questions.push(names)
    return names.filter((name) => taken.has(name))
  })
  return { free, questions }
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

test('a name that nobody has stays as it is, and one that somebody has gets the first free number', async () => {
  expect((await asked()).free).toBe('bread')
  expect((await asked(2)).free).toBe('bread')
  expect((await asked(1)).free).toBe('bread-2')
  expect((await asked(1, 2, 4)).free).toBe('bread-3')
})

test('one question is enough for 199 others; then each is about the 200 that follow', async () => {
  const one = await asked(...upTo(199))
  expect([one.free, one.questions.length]).toEqual(['bread-200', 1])
  const two = await asked(...upTo(200))
  expect([two.free, two.questions.length]).toEqual(['bread-201', 2])
  const three = await asked(...upTo(500))
  expect(three.free).toBe('bread-501')
  expect(three.questions.map((names) => [names[0], names.at(-1), names.length])).toEqual([
    ['bread', 'bread-200', 200],
    ['bread-201', 'bread-400', 200],
    ['bread-401', 'bread-600', 200],
  ])
})
