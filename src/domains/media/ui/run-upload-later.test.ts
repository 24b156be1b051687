import { beforeEach, expect, test, vi } from 'vitest'
import { problems } from '../rules.ts'
import { patience } from '../../../../test/patience.ts'
import type { runUpload } from './run-upload.ts'
import { runUploadLater } from './run-upload-later.ts'
import type { UploadState } from './upload-state.ts'

const file = new File(['xyz'], 'me.png', { type: 'image/png' })
const what = { file, purpose: 'avatar' as const, courseId: null, place: null }

let shown: string[]
let calls: string[]
const watcher = {
  onState: (state: UploadState) =>
    void shown.push('message' in state ? state.message : state.phase),
  onReady: () => {},
}
const note = (call: string) => () => void calls.push(call)
const code = {
  runUpload: ((_what, { onState }) => {
    calls.push('run')
    onState({ phase: 'checking', filename: 'me.png', sizeBytes: 3 })
    return { resume: note('resume'), stop: note('stop'), cancel: note('cancel') }
  }) as typeof runUpload,
}

beforeEach(() => {
  shown = []
  calls = []
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', { onLine: true })
})

test('shows at once that it begins, and hands over to the uploader', async () => {
  const transfer = runUploadLater(what, watcher, async () => code)
  expect(shown).toEqual(['uploading'])
  await vi.waitFor(() => expect(shown).toEqual(['uploading', 'checking']), patience)
  transfer.resume()
  transfer.cancel()
  expect(calls).toEqual(['run', 'resume', 'cancel'])
})

test('what is cancelled meanwhile never begins', async () => {
  const fetched = Promise.resolve(code)
  runUploadLater(what, watcher, () => fetched).cancel()
  await fetched
  await Promise.resolve()
  expect([shown, calls]).toEqual([['uploading'], []])
})

test('an uploader that cannot be fetched is a failure, which can be tried again', async () => {
  const fetchCode = vi.fn().mockRejectedValueOnce(new Error('gone')).mockResolvedValueOnce(code)
  const transfer = runUploadLater(what, watcher, fetchCode)
  await vi.waitFor(() => expect(shown).toEqual(['uploading', problems.imageFailed]), patience)
  transfer.resume()
  await vi.waitFor(() => expect(calls).toEqual(['run']), patience)
})

test('offline it waits, and goes on by itself when the network is back', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const fetchCode = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce(code)
  runUploadLater(what, watcher, fetchCode)
  await vi.waitFor(() => expect(shown).toEqual(['uploading', 'interrupted']), patience)
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(calls).toEqual(['run']), patience)
  window.dispatchEvent(new Event('online'))
  expect(calls).toEqual(['run'])
})
