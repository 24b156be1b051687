import { beforeEach, expect, test } from 'vitest'
import { problems } from '../rules.ts'
import type { runUpload } from './run-upload.ts'
import { stoppedUploads } from './unfinished-uploads.ts'
import { createUploadQueue } from './upload-queue.ts'

type Run = { name: string; calls: string[]; watch: Parameters<typeof runUpload>[1] }

let runs: Run[]
let told: string[]

/** What a browser has, as far as the memory of uploads needs it. */
function browserStorage() {
  const kept = new Map<string, string>()
  const methods = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  return new Proxy(methods, {
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
}

beforeEach(() => {
  runs = []
  told = []
  Object.assign(globalThis, { localStorage: browserStorage() })
})

const uploading = (filename: string) => ({
  phase: 'uploading' as const,
  filename,
  sizeBytes: 3,
  sentBytes: 0,
  percent: 0,
  bytesPerSecond: null,
  secondsLeft: null,
})

const queue = () =>
  createUploadQueue(
    {
      courseId: 'course',
      videoMaxMb: 1,
      onReady: (key, { id }) => told.push(`${key} is ${id}`),
      onBusyChange: (key, busy) => told.push(`${key} ${busy}`),
    },
    ({ file: { name } }, watch) => {
      const run: Run = { name, calls: [], watch }
      runs.push(run)
      watch.onState(uploading(name))
      const note = (call: string) => () => void run.calls.push(call)
      return { resume: note('resume'), stop: note('stop'), cancel: note('cancel') }
    },
  )

const film = (name: string, size = 3) => new File(['x'.repeat(size)], name, { type: 'video/mp4' })
const begun = () => runs.map(({ name }) => name)
const runOf = (name: string) => runs.find((run) => run.name === name)!

function fiveIn(uploads: ReturnType<typeof queue>) {
  for (const key of ['a', 'b', 'c', 'd', 'e']) uploads.start(key, `at ${key}`, film(`${key}.mp4`))
}

function finish(name: string) {
  const { watch } = runOf(name)
  watch.onState({ phase: 'ready', filename: name, mediaId: `id of ${name}` })
  watch.onReady({
    id: `id of ${name}`,
    filename: name,
    sizeBytes: 3,
    status: 'ready',
    problem: null,
  })
}

test('three at a time go up, the others wait for their turn, in order', () => {
  const uploads = queue()
  fiveIn(uploads)
  expect(begun()).toEqual(['a.mp4', 'b.mp4', 'c.mp4'])
  expect([uploads.stateOf('c').phase, uploads.stateOf('d').phase]).toEqual(['uploading', 'waiting'])
  finish('b.mp4')
  expect(begun()).toEqual(['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4'])
  expect(told.slice(-2)).toEqual(['b idle', 'b is id of b.mp4'])
})

test('all fifty go up', () => {
  const uploads = queue()
  const names = Array.from({ length: 50 }, (_, index) => `${index}.mp4`)
  for (const name of names) uploads.start(name, name, film(name))
  for (const name of names) finish(name)
  expect(begun()).toEqual(names)
})

test('a failure stops no other one, and is tried again in its turn', () => {
  const uploads = queue()
  fiveIn(uploads)
  const failure = { phase: 'failed' as const, filename: 'a.mp4', message: 'No.', canRetry: true }
  runOf('a.mp4').watch.onState(failure)
  expect(begun()).toContain('d.mp4')
  expect(told).toContain('a failed')
  uploads.retry('a')
  expect(uploads.stateOf('a').phase).toBe('waiting')
  expect(runOf('a.mp4').calls).toEqual([])
  finish('b.mp4')
  expect(runOf('a.mp4').calls).toEqual(['resume'])
  expect(uploads.stateOf('a').phase).toBe('uploading')
})

test('what cannot be accepted says so at once and takes nobody’s turn', () => {
  const uploads = queue()
  uploads.start('text', 'at text', new File(['x'], 'notes.txt', { type: 'text/plain' }))
  uploads.start('large', 'at large', film('large.mp4', 1024 * 1024 + 1))
  uploads.start('empty', 'at empty', film('empty.mp4', 0))
  fiveIn(uploads)
  expect(begun()).toEqual(['a.mp4', 'b.mp4', 'c.mp4'])
  expect(['text', 'large', 'empty'].map((key) => uploads.stateOf(key))).toMatchObject([
    { phase: 'failed', message: problems.videoType, canRetry: false },
    {
      phase: 'failed',
      message: 'Video file is too large. Please upload a file smaller than 1MB.',
      canRetry: false,
    },
    { phase: 'failed', message: problems.empty, canRetry: false },
  ])
})

test('cancelling lets the next one begin; a lesson that is gone takes its upload along', () => {
  const uploads = queue()
  fiveIn(uploads)
  uploads.cancel('a')
  expect(runOf('a.mp4').calls).toEqual(['cancel'])
  expect(begun()).toContain('d.mp4')
  uploads.keepOnly((key) => key !== 'b' && key !== 'e')
  expect(runOf('b.mp4').calls).toEqual(['cancel'])
  expect(uploads.stateOf('e').phase).toBe('idle')
  expect(begun()).not.toContain('e.mp4')
  // A cancelled one has nothing more to say.
  runOf('a.mp4').watch.onState(uploading('a.mp4'))
  expect(uploads.stateOf('a').phase).toBe('idle')
})

test('a page that goes leaves behind which files were still to come, and at which lessons', () => {
  const uploads = queue()
  fiveIn(uploads)
  expect(stoppedUploads()).toEqual([])
  uploads.stop()
  expect(runs.map(({ calls }) => calls)).toEqual([['stop'], ['stop'], ['stop']])
  const stopped = stoppedUploads().map(({ place, filename }) => `${filename} ${place}`)
  expect(stopped.toSorted()).toEqual(['d.mp4 at d', 'e.mp4 at e'])
})

test('only what shows an upload hears of it', () => {
  const uploads = queue()
  const heard: string[] = []
  uploads.subscribe('a', () => heard.push('a'))
  const leave = uploads.subscribe('b', () => heard.push('b'))
  uploads.start('a', 'at a', film('a.mp4'))
  expect(new Set(heard)).toEqual(new Set(['a']))
  leave()
  uploads.start('b', 'at b', film('b.mp4'))
  expect(heard).not.toContain('b')
})
