import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepUnsaved, unsavedOf } from './position-kept.ts'

const unsaved = {
  seconds: 400,
  savedSeconds: 95,
  told: [100],
  played: [{ from: 95, to: 400 }],
  endedAt: null,
}
const slot = 'thunder-draft:person:lesson:watched'

beforeEach(() => {
  const stored: Record<string, unknown> = {}
  const hidden = (name: string, value: unknown) =>
    Object.defineProperty(stored, name, { value, enumerable: false })
  hidden('getItem', (key: string) => stored[key] ?? null)
  hidden('setItem', (key: string, text: string) => void (stored[key] = text))
  hidden('removeItem', (key: string) => delete stored[key])
  vi.stubGlobal('localStorage', stored)
})
afterEach(() => void vi.unstubAllGlobals())

/** As it lies in the storage, with some of it otherwise. */
function keepWith(other: object) {
  localStorage.setItem(slot, JSON.stringify({ ...unsaved, keptAt: Date.now(), ...other }))
}

test('what was kept comes back as it was, to the same person in the same lesson', () => {
  keepUnsaved('person', 'lesson', unsaved)
  expect(unsavedOf('person', 'lesson')).toEqual(unsaved)
  expect(unsavedOf('person', 'other')).toBeNull()
  expect(unsavedOf('somebody', 'lesson')).toBeNull()
  keepUnsaved('person', 'lesson', null)
  expect(unsavedOf('person', 'lesson')).toBeNull()
})

test('what an earlier version kept is read', () => {
  keepWith({ told: undefined })
  expect(unsavedOf('person', 'lesson')).toEqual({ ...unsaved, told: [] })
})

test.each([
  ['no number', { seconds: 'x' }],
  ['no list of places', { told: 7 }],
  ['a place before the beginning', { told: [100, -1] }],
  ['no stretches', { played: null }],
  ['a day too long', { endedAt: 86_401 }],
  ['kept long ago', { keptAt: Date.now() - 31 * 86_400_000 }],
])('%s is nothing to go on with', (_what, other) => {
  keepWith(other)
  expect(unsavedOf('person', 'lesson')).toBeNull()
})
