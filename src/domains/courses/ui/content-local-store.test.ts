import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetOutdatedDrafts } from './content-local-store.ts'

const day = 24 * 60 * 60 * 1000
const daysAgo = (days: number, text = '') =>
  JSON.stringify({ text, keptAt: Date.now() - days * day })

beforeEach(() => {
  const kept: Record<string, string> = {
    'thunder-draft:ann:a post': daysAgo(29),
    'thunder-draft:bob:another': daysAgo(31),
    'thunder-draft:bob:tricky': daysAgo(31, `"keptAt":${Date.now()}`),
    'thunder-draft:bob:broken': 'no text of ours',
    theme: 'dark',
  }
  Object.defineProperties(kept, {
    getItem: { value: (key: string) => kept[key] ?? null },
    removeItem: { value: (key: string) => delete kept[key] },
  })
  vi.stubGlobal('localStorage', kept)
})
afterEach(() => vi.unstubAllGlobals())

test('what nobody came back for within 30 days is forgotten, of everybody', () => {
  forgetOutdatedDrafts()
  expect(Object.keys(localStorage)).toEqual(['thunder-draft:ann:a post', 'theme'])
})

test('where the storage is forbidden, nothing is said', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(forgetOutdatedDrafts).not.toThrow()
})
