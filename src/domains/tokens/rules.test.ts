import { expect, test } from 'vitest'
import { lifetimes, scopeAreas, scopes } from './rules.ts'

test('a token may be allowed to read each area, and to change all but one of them', () => {
  expect(scopes).toEqual([
    'profile:read',
    'profile:write',
    'courses:read',
    'courses:write',
    'learning:read',
    'learning:write',
    'community:read',
    'community:write',
    'moderation:read',
    'moderation:write',
    'members:read',
    'members:write',
    'sales:read',
    'sales:write',
    'analytics:read',
    'notifications:read',
    'notifications:write',
  ])
})

test('what that means is said to people, each in words of its own', () => {
  const words = scopeAreas.flatMap(({ label, read, write }) => [label, read, write ?? 'No changes'])
  for (const some of words) expect(some).toMatch(/^[A-Z][a-z]/)
  expect(new Set(words).size).toBe(3 * scopeAreas.length)
})

test('what courses earn is promised to who may read sales or analytics, and to no other', () => {
  const readsMoney = scopeAreas.filter(({ read }) => /earn|sales/.test(read))
  expect(readsMoney.map(({ area }) => area)).toEqual(['sales', 'analytics'])
})

test('it is good for a month, a quarter, a year or for ever', () => {
  expect(lifetimes).toEqual([30, 90, 365, null])
})
