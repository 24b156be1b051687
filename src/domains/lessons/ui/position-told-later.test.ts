import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubBrowserStorage } from '../../../../test/browser-storage.ts'
import { keepUnsaved, slotOf } from './position-kept.ts'
import { tellOfOthers } from './position-told-later.ts'

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const told = () =>
  fetched.mock.calls.map(([url, { body }]) => ({
    lesson: url.split('/').at(-2),
    ...(JSON.parse(String(body)) as object),
  }))
const accepted = async () => Response.json({ seconds: 0, accepted: true, completed: true })
const settle = () => vi.advanceTimersByTimeAsync(0)
const inUse: { name: string }[] = []

beforeEach(() => {
  vi.useFakeTimers()
  fetched.mockReset().mockImplementation(accepted)
  inUse.length = 0
  stubBrowserStorage()
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('navigator', { locks: { query: async () => ({ held: inUse }) } })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Of a video of two minutes, which page after page played to its end. */
const watched = (from: number, to: number) => ({
  video: 'video',
  seconds: to,
  savedSeconds: from,
  secondsAgo: 600,
  told: [],
  played: [{ from, to }],
  endedAt: to === 120 ? 120 : null,
})
const open = new AbortController().signal

test('what was watched of a lesson is told by the page of another one, and then no more', async () => {
  keepUnsaved('person', 'left', watched(0, 60), 'page 1')
  vi.setSystemTime(Date.now() + 1000)
  keepUnsaved('person', 'left', watched(60, 120), 'page 2')
  keepUnsaved('person', 'open', watched(0, 120), 'page 3')
  keepUnsaved('somebody', 'left', watched(0, 120), 'page 4')
  await tellOfOthers('person', 'open', open)
  await settle()
  const whole = { played: [{ from: 0, to: 120 }], duration: 120, ended: true }
  expect(told()).toEqual([
    { lesson: 'left', video: 'video', seconds: 120, secondsAgo: 600, ...whole },
  ])
  expect(Object.keys(localStorage)).toEqual([
    slotOf('person', 'open', 'page 3'),
    slotOf('somebody', 'left', 'page 4'),
  ])
})

test('what an open page still tells by itself is left to it', async () => {
  keepUnsaved('person', 'left', watched(0, 120), 'page 1')
  inUse.push({ name: slotOf('person', 'left', 'page 1') })
  await tellOfOthers('person', 'open', open)
  await settle()
  expect(told()).toEqual([])
  expect(Object.keys(localStorage)).toHaveLength(1)
})

test('what cannot be told is tried again, and left to the next page', async () => {
  fetched.mockRejectedValue(new TypeError('offline'))
  keepUnsaved('person', 'left', watched(0, 120), 'page 1')
  const page = new AbortController()
  await tellOfOthers('person', 'open', page.signal)
  await vi.advanceTimersByTimeAsync(5000)
  expect(told()).toHaveLength(2)
  page.abort()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(told()).toHaveLength(2)
  expect(Object.keys(localStorage)).toHaveLength(1)
})

test('what nobody may tell any more is forgotten', async () => {
  fetched.mockImplementation(async () => new Response('{}', { status: 404 }))
  keepUnsaved('person', 'left', watched(0, 120), 'page 1')
  await tellOfOthers('person', 'open', open)
  await settle()
  expect(told()).toHaveLength(1)
  expect(Object.keys(localStorage)).toEqual([])
})

test('what is no report of ours is passed over', async () => {
  for (const text of ['no text of ours', 'null', '{"video":7}', '{"video":"video"}']) {
    localStorage.setItem(slotOf('person', 'left', text), text)
  }
  await tellOfOthers('person', 'open', open)
  await settle()
  expect(told()).toEqual([])
})
