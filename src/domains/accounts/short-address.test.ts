import { expect, test } from 'vitest'
import { shortAddress } from './short-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:0db8:0000:0000:0000:0000:0000:0000', '2001:db8::'],
  ['0000:0000:0000:0000:0000:0000:0000:0000', '::'],
  ['no:address', 'no:address'],
  ['', null],
  [null, null],
])('%j is shown as %j', (address, shown) => {
  expect(shortAddress(address)).toBe(shown)
})
