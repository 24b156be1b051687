import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const url = 'https://thunder.example/storage/v1/uploads/1'
const key = `thunder-upload:${url}`
const upload = {
  uploadUrl: url,
  fingerprint: 'film',
  purpose: 'video',
  courseId: 'course',
  place: 'lesson',
  filename: 'film.mp4',
  size: 1000,
  creationTime: new Date().toISOString(),
  page: 'another',
}

const waitingKey = 'thunder-upload:waiting next lesson'
const waiting = { ...upload, uploadUrl: null, place: 'next lesson', filename: 'next.mp4', sent: 0 }

/** This tab, and what another one writes. */
function browser() {
  const heard = new Map<string, Set<(event: object) => void>>()
  const methods = {
    getItem: (name: string) => (stored as Record<string, unknown>)[name] ?? null,
    setItem: (name: string, text: string) => Object.assign(stored, { [name]: text }),
    removeItem: (name: string) => Reflect.deleteProperty(stored, name),
  }
  const stored = Object.create(methods) as typeof methods
  vi.stubGlobal('localStorage', stored)
  vi.stubGlobal('window', {
    addEventListener(name: string, listener: (event: object) => void) {
      heard.set(name, (heard.get(name) ?? new Set()).add(listener))
    },
    removeEventListener(name: string, listener: (event: object) => void) {
      heard.get(name)?.delete(listener)
    },
  })
  const write = (name: string, value: object | null) => {
    const newValue = value && JSON.stringify(value)
    if (newValue === null) stored.removeItem(name)
    else stored.setItem(name, newValue)
    for (const listener of heard.get('storage') ?? []) listener({ key: name, newValue })
  }
  return {
    anotherTabWrites: (sent: number | null) =>
      write(key, sent === null ? null : { ...upload, sent }),
    anotherTabWaits: () => write(waitingKey, waiting),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what another tab is sending has not stopped, until it says no more', async () => {
  const { anotherTabWrites } = browser()
  const { onStoppedUploadsChange, stoppedUploads } = await import('./unfinished-uploads.ts')
  const told = vi.fn()
  const stopListening = onStoppedUploadsChange(told)

  for (const sent of [100, 200, 300]) {
    anotherTabWrites(sent)
    expect(stoppedUploads()).toEqual([])
    await vi.advanceTimersByTimeAsync(9000)
  }
  expect(stoppedUploads()).toEqual([])
  told.mockClear()
  await vi.advanceTimersByTimeAsync(1001)
  expect(told).toHaveBeenCalled()
  expect(stoppedUploads()).toMatchObject([{ uploadUrl: url, sent: 300 }])
  anotherTabWrites(null)
  expect(stoppedUploads()).toEqual([])
  stopListening()
})

test('what waits in another tab has not stopped, for as long as that goes on with what is before it', async () => {
  const { anotherTabWaits, anotherTabWrites } = browser()
  const { onStoppedUploadsChange, stoppedUploads } = await import('./unfinished-uploads.ts')
  const told = vi.fn()
  const stopListening = onStoppedUploadsChange(told)

  anotherTabWaits()
  for (const sent of [100, 200, 300]) {
    await vi.advanceTimersByTimeAsync(9000)
    anotherTabWrites(sent)
    expect(stoppedUploads()).toEqual([])
  }
  told.mockClear()
  await vi.advanceTimersByTimeAsync(10_001)
  expect(told).toHaveBeenCalled()
  expect(
    stoppedUploads()
      .map(({ place }) => place)
      .toSorted(),
  ).toEqual(['lesson', 'next lesson'])
  stopListening()
})

test('an upload that goes on for another place is noted there, and what it sent stays', async () => {
  const { anotherTabWrites } = browser()
  anotherTabWrites(300)
  const { renewPlace, rememberSent } = await import('./unfinished-uploads.ts')
  renewPlace(url, { place: 'another lesson' })
  const kept = () => JSON.parse(localStorage.getItem(key)!)
  expect(kept()).toMatchObject({ place: 'another lesson', sent: 300, courseId: 'course' })
  rememberSent(url, 400)
  expect(kept()).toMatchObject({ place: 'another lesson', sent: 400 })
  renewPlace('https://thunder.example/never-was', { place: 'x' })
  expect(localStorage.getItem('thunder-upload:https://thunder.example/never-was')).toBeNull()
})
