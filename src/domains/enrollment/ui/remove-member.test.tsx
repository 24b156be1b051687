import { expect, test } from 'vitest'
import { whatItMeans } from './remove-member.tsx'

const free = {
  status: 'published',
  pricingType: 'free',
  applicationRequired: false,
  hasBuyers: false,
} as const
const ends = 'What they bought ends at once, and a monthly payment is canceled'

test.each([
  ['a course that costs something', { ...free, pricingType: 'monthly' }, true],
  ['one that is free by now, and was bought', { ...free, hasBuyers: true }, true],
  ['one that nobody paid for', free, false],
] as const)('who removes a member of %s is told whether a purchase ends', (_what, course, told) => {
  expect(whatItMeans(course).includes(ends)).toBe(told)
  expect(whatItMeans(course)).toContain('The course is open to everybody')
})
