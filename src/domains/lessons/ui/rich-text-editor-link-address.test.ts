import { expect, test } from 'vitest'
import { storableHref, suggestedAddress } from './rich-text-editor-link-address.ts'

test.each([
  [' ada@example.com ', 'mailto:ada@example.com'],
  ['example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['javascript:alert(1)', null],
  ['two words', null],
  ['', null],
  [`https://example.com/${'a'.repeat(2000)}`, null],
])('the address %j is stored as %j', (typed, stored) => {
  expect(storableHref(typed)).toBe(stored)
})

test.each([
  ['ada@example.com', 'mailto:ada@example.com'],
  ['www.example.com', 'https://www.example.com'],
  ['https://example.com', 'https://example.com'],
  ['read this', ''],
  ['Node.js', ''],
])('selecting %j suggests %j', (selected, suggestion) => {
  expect(suggestedAddress(selected)).toBe(suggestion)
})
