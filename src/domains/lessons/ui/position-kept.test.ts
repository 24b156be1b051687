import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubBrowserStorage } from '../../../../test/browser-storage.ts'
import { keepUnsaved, unsavedOf } from './position-kept.ts'

const unsaved = {
  video: 'video',
  seconds: 400,
  savedSeconds: 95,
  secondsAgo: 20,
  told: [100],
  played: [{ from: 95, to: 400 }],
  endedAt: null,
}
/** Where earlier versions kept it. */
const slot = 'thunder-draft:person:lesson:watched'
const found = (person: string, lesson: string) =>
  unsavedOf(person, lesson, 'video').map((one) => one.unsaved)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  stubBrowserStorage()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** As it lies in the storage, with some of it otherwise. */
function keepWith(other: object) {
  localStorage.setItem(slot, JSON.stringify({ ...unsaved, keptAt: Date.now(), ...other }))
}

test('what was kept comes back as it was, to the same person in the same lesson', () => {
  keepUnsaved('person', 'lesson', unsaved)
  expect(found('person', 'lesson')).toEqual([unsaved])
  expect(found('person', 'other')).toEqual([])
  expect(found('somebody', 'lesson')).toEqual([])
  keepUnsaved('person', 'lesson', null)
  expect(found('person', 'lesson')).toEqual([])
})

test('what another page of the same lesson keeps stays, whatever this one has told', () => {
  keepUnsaved('person', 'lesson', unsaved, 'another page')
  vi.setSystemTime(Date.now() + 1000)
  keepUnsaved('person', 'lesson', { ...unsaved, seconds: 7 })
  expect(found('person', 'lesson').map(({ seconds }) => seconds)).toEqual([400, 7])
  keepUnsaved('person', 'lesson', null)
  expect(found('person', 'lesson').map(({ seconds }) => seconds)).toEqual([400])
})

test('how long ago they were there grows until it is read', () => {
  keepWith({ keptAt: Date.now() - 3_600_000 })
  expect(found('person', 'lesson')).toEqual([{ ...unsaved, secondsAgo: 3620 }])
  // By a clock that was set back since.
  keepWith({ keptAt: Date.now() + 3_600_000 })
  expect(found('person', 'lesson')).toEqual([unsaved])
})

test('what an earlier version kept is read', () => {
  keepWith({ video: undefined, told: undefined, secondsAgo: undefined })
  expect(found('person', 'lesson')).toEqual([{ ...unsaved, told: [], secondsAgo: 0 }])
})

test.each([
  ['of another video', { video: 'other' }],
  ['no number', { seconds: 'x' }],
  ['later than now', { secondsAgo: -1 }],
  ['no list of places', { told: 7 }],
  ['a place before the beginning', { told: [100, -1] }],
  ['no stretches', { played: null }],
  ['a day too long', { endedAt: 86_401 }],
  ['kept long ago', { keptAt: Date.now() - 31 * 86_400_000 }],
])('%s is nothing to go on with', (_what, other) => {
  keepWith(other)
  expect(found('person', 'lesson')).toEqual([])
})
