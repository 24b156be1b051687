import { expect, test } from 'vitest'
import { found, lineAt, piecesOf } from './transcript-search.ts'

const lines = [
  { start: 1, end: 3, text: 'Flour, water and salt.' },
  { start: 4, end: 6, text: 'The Café opens at six' },
  { start: 6, end: 9, text: 'and more water' },
]

test.each([
  ['water', ['Flour, water and salt.', 'and more water']],
  ['WATER ', ['Flour, water and salt.', 'and more water']],
  ['cafe', ['The Café opens at six']],
  ['.*', []],
  ['', lines.map(({ text }) => text)],
  ['   ', lines.map(({ text }) => text)],
])('looking for “%s”', (wanted, texts) => {
  expect(found(lines, wanted).map(({ text }) => text)).toEqual(texts)
})

test('what was found is told apart, as it is written', () => {
  expect(piecesOf('Water is water', 'water')).toEqual(['', 'Water', ' is ', 'water', ''])
  expect(piecesOf('The Café opens', 'CAFE')).toEqual(['The ', 'Café', ' opens'])
  expect(piecesOf('🍞 bread', 'bread')).toEqual(['🍞 ', 'bread', ''])
  expect(piecesOf('bread', '')).toEqual(['bread'])
})

test('the line of a second is the one that began last', () => {
  expect([0, 1, 3.5, 4, 100].map((second) => lineAt(lines, second))).toEqual([-1, 0, 0, 1, 2])
})
