import { expect, test } from 'vitest'
import { ownAddress } from './own-address.ts'

const own = 'https://thunder.example'

test.each([
  ['/billing?success=true&plan=annual', `${own}/billing?success=true&plan=annual`],
  ['/course/knots?success=true#x', `${own}/course/knots?success=true#x`],
  ['/', `${own}/`],
  ['/course/auth', `${own}/course/auth`],
  ['/authors', `${own}/authors`],
  [`${own}/course/knots?canceled=true`, `${own}/course/knots?canceled=true`],
  ['HTTPS://Thunder.Example:443/billing', `${own}/billing`],
  ['/course/../billing', `${own}/billing`],
  ['/course/knots?coupon=SPRING%20', `${own}/course/knots?coupon=SPRING%20`],
])('%j is a page of ours', (given, address) => {
  expect(ownAddress(own, given)).toBe(address)
})

test.each([
  '',
  'billing',
  '//evil.example/course',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  'https:evil.example',
  'https:///evil.example/x',
  'https://evil.example/course/x',
  'https://thunder.example.evil.example/',
  'https://thunder.example@evil.example/',
  'https://somebody:secret@thunder.example/billing',
  'https://somebody@thunder.example/billing',
  'https://:secret@thunder.example/billing',
  'https://thunder.example:8443/billing',
  'http://thunder.example/billing',
  'https://thunder.example./billing',
  'https://\u0442hunder.example/billing',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'blob:https://thunder.example/x',
  '/billing\r\nset-cookie: x=1',
  '/bil\tling',
  '/\t/evil.example',
  '/\0billing',
  ' /billing',
  '/billing\u202e',
  '/\u200b/evil.example',
  '/./sandbox/stripe/dashboard',
  '/sandbox/stripe/dashboard',
  '/auth/v1/sign-out',
  '/webhooks',
  'https://[::1/',
])('%j is none', (given) => {
  expect(ownAddress(own, given)).toBeNull()
})

test('a site may be reached without encryption, on a machine of one’s own', () => {
  const local = 'http://localhost:3000'
  expect(ownAddress(local, `${local}/billing`)).toBe(`${local}/billing`)
})
