import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalAddress } from './canonical-address.ts'

const of = (path: string) => canonicalAddress(new URL(`http://localhost${path}`))

test.each([
  ['/EXPLORE?Search=A%20B', '/explore?Search=A%20B'],
  ['/explore/', '/explore'],
  ['/Course/ABC/', '/course/abc'],
  ['/course/abc/Reviews?page=2', '/course/abc/reviews?page=2'],
  ['/User/Ann', '/user/ann'],
  ['/Invite/aBcD', '/invite/aBcD'],
  ['//explore', '/explore'],
  ['//evil.example/', '/evil.example'],
  ['/\\evil.example', '/evil.example'],
  ['///evil.example//a/?x=//b', '/evil.example/a?x=//b'],
])('%s leads to %s', (from, to) => {
  expect(of(from)).toBe(to)
})

test.each([
  '/',
  '/explore',
  '/invite/aBcD',
  '/course/%E0%A4%A',
  '/user/%C3%89va',
  '/storage/v1/uploads/',
  '/outbox/',
  '/course/a.data',
])('%s stays', (path) => {
  expect(of(path)).toBe(null)
})

test('never leads to another site, and never in a circle', () => {
  const signs = fc.constantFrom('/', '\\', 'A', 'b', '.', ':', '%2f', '@', '?', '#', ' ', '\t')
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 20 }), (parts) => {
      const url = new URL(`http://localhost/${parts.join('')}`)
      const to = canonicalAddress(url)
      if (to === null) return
      const next = new URL(to, 'http://localhost')
      expect(next.host).toBe('localhost')
      expect(canonicalAddress(next)).toBe(null)
    }),
  )
})
