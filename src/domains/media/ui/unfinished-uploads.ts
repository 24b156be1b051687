// Uploads that this browser has started and not finished, so that choosing the same file again goes on.
import type { PreviousUpload, UrlStorage } from 'tus-js-client'
import { type Purpose, unfinishedDays } from '../rules.ts'

const prefix = 'thunder-upload:'

export type UnfinishedUpload = PreviousUpload & {
  fingerprint: string
  purpose: Purpose
  courseId: string | null
  /** Null when the place has no id yet, such as a lesson that was never saved. */
  lessonId: string | null
  filename: string
  /** Bytes that had left this browser. */
  sent: number
}

type Place = Pick<UnfinishedUpload, 'purpose' | 'courseId' | 'lessonId' | 'filename'>

/** Storage may be forbidden or full; then an upload merely cannot be continued after a reload. */
function attempt<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch {
    return null
  }
}

const isRecent = (upload: UnfinishedUpload) =>
  Date.now() - Date.parse(upload.creationTime) < unfinishedDays * 24 * 60 * 60 * 1000

function read(key: string): UnfinishedUpload | null {
  const upload = attempt(
    () => JSON.parse(localStorage.getItem(key) ?? 'null') as UnfinishedUpload | null,
  )
  return upload && typeof upload.size === 'number' ? { ...upload, urlStorageKey: key } : null
}

const write = (key: string, upload: UnfinishedUpload) =>
  attempt(() => localStorage.setItem(key, JSON.stringify(upload)))

const remove = (key: string) => attempt(() => localStorage.removeItem(key))

/** Uploads that this page is sending now. */
const running = new Set<string>()
const listeners = new Set<() => void>()

/** Tells that this page sends, or no longer sends, the upload at this address. */
export function setRunning(url: string | null, isRunning: boolean): void {
  if (url === null) return
  if (isRunning) running.add(url)
  else running.delete(url)
  for (const listener of listeners) listener()
}

/** For `useSyncExternalStore`; also hears of other tabs. */
export function onStoppedUploadsChange(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** What nobody on this page is sending; newest first. What the server has removed by now is forgotten. */
export function stoppedUploads(): UnfinishedUpload[] {
  const keys =
    attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix))) ?? []
  const found: UnfinishedUpload[] = []
  for (const key of keys) {
    const upload = read(key)
    if (!upload || !isRecent(upload)) remove(key)
    else if (!running.has(upload.uploadUrl ?? '')) found.push(upload)
  }
  return found.toSorted((a, b) => Date.parse(b.creationTime) - Date.parse(a.creationTime))
}

export function forgetUpload(url: string): void {
  remove(prefix + url)
  setRunning(url, false)
}

export function rememberSent(url: string, sent: number): void {
  const upload = read(prefix + url)
  if (upload) write(prefix + url, { ...upload, sent })
}

/** What tus-js-client needs to remember an upload for `place`. */
export function uploadMemory(place: Place): UrlStorage {
  return {
    findAllUploads: async () => stoppedUploads(),
    findUploadsByFingerprint: async (fingerprint) =>
      stoppedUploads().filter((upload) => upload.fingerprint === fingerprint),
    async removeUpload(key) {
      remove(key)
    },
    async addUpload(fingerprint, upload) {
      const key = prefix + (upload.uploadUrl ?? '')
      write(key, { ...upload, ...place, fingerprint, sent: read(key)?.sent ?? 0 })
      return key
    },
  }
}
