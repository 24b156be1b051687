import { expect, test } from 'vitest'
import { whoPaysOn } from './price-words.ts'

const sold = { pricingType: 'monthly', priceAmount: 2900, monthlyPayers: 2 } as const
const free = { pricingType: 'free', priceAmount: 0 } as const

test.each([
  ['free', free],
  ['paid once', { pricingType: 'one_time', priceAmount: 2900 }],
  ['dearer', { pricingType: 'monthly', priceAmount: 3900 }],
] as const)('who makes a monthly course %s is told who pays on', (_what, chosen) => {
  expect(whoPaysOn(sold, chosen)).toContain('2 people go on paying each month')
  expect(whoPaysOn({ ...sold, monthlyPayers: 1 }, chosen)).toContain('1 person goes on paying')
  expect(whoPaysOn({ ...sold, monthlyPayers: 0 }, chosen)).toBeNull()
})

test('who looks at a free course again is told still, at an unchanged price nobody', () => {
  expect(whoPaysOn({ ...free, monthlyPayers: 1 }, free)).toContain('they can cancel')
  expect(whoPaysOn(sold, sold)).toBeNull()
})
