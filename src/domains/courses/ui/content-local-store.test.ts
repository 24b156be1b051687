import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubBrowserStorage } from '../../../../test/browser-storage.ts'
import { forgetOutdatedDrafts } from './content-local-store.ts'

const day = 24 * 60 * 60 * 1000
const daysAgo = (days: number, text = '') =>
  JSON.stringify({ text, keptAt: Date.now() - days * day })

beforeEach(() => {
  stubBrowserStorage({
    'thunder-draft:ann:a post': daysAgo(29),
    'thunder-draft:bob:another': daysAgo(31),
    'thunder-draft:bob:tricky': daysAgo(31, `"keptAt":${Date.now()}`),
    'thunder-draft:bob:broken': 'no text of ours',
    theme: 'dark',
  })
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
