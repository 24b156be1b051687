// Uploads that this browser has started and not finished, so that choosing the same file again goes on.
import type { PreviousUpload, UrlStorage } from 'tus-js-client'
import { type Purpose, unfinishedDays } from '../rules.ts'

const prefix = 'thunder-upload:'

const thisPage = Math.random().toString(36).slice(2)

export type UnfinishedUpload = PreviousUpload & {
  fingerprint: string
  purpose: Purpose
  courseId: string | null
  /** Which lesson, as the editor names it: saved or only in a draft of this browser. */
  place: string | null
  filename: string
  /** Bytes that had left this browser. */
  sent: number
  /** Which page noted it last. */
  page: string
}

type Place = Pick<UnfinishedUpload, 'purpose' | 'courseId' | 'place' | 'filename'>

/** The same file for the same course; another course never continues its upload. */
export function fingerprintOf(what: { file: File; purpose: Purpose; courseId: string | null }) {
  const { file, purpose, courseId } = what
  return [purpose, courseId ?? '', file.name, file.type, file.size, file.lastModified].join('|')
}

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

/** Its address; one that waits for its turn has none yet, and is known by its place. */
const waitingId = (place: string) => `waiting ${place}`
export const idOf = ({ uploadUrl, place }: UnfinishedUpload) => uploadUrl ?? waitingId(place ?? '')

/** Ids of the uploads that this page is sending now, or will. */
const running = new Set<string>()
const listeners = new Set<() => void>()

const tellListeners = () => {
  for (const listener of listeners) listener()
}

/** Tells that this page sends, or no longer sends, an upload. */
export function setRunning(id: string | null, isRunning: boolean): void {
  if (id === null) return
  if (isRunning) running.add(id)
  else running.delete(id)
  tellListeners()
}

/** Milliseconds for which an upload of another tab counts as running after that has noted how far it is. */
const trusted = 10_000

/** The ends of that time, by the keys of uploads that other tabs are sending, and by those pages. */
const elsewhere = new Map<string, ReturnType<typeof setTimeout>>()

function trust(name: string) {
  clearTimeout(elsewhere.get(name))
  const forget = () => {
    elsewhere.delete(name)
    tellListeners()
  }
  elsewhere.set(name, setTimeout(forget, trusted))
}

/** Only other tabs are heard here. */
function hear({ key, newValue }: StorageEvent) {
  if (!key?.startsWith(prefix)) return
  clearTimeout(elsewhere.get(key))
  elsewhere.delete(key)
  if (newValue === null) return
  trust(key)
  const page = read(key)?.page
  if (page) trust(page)
}
if (typeof window !== 'undefined') window.addEventListener('storage', hear)

/** What waits is noted once, so it waits for as long as its page notes how far it is with others. */
const isElsewhere = (key: string, { uploadUrl, page }: UnfinishedUpload) =>
  elsewhere.has(key) || (uploadUrl === null && elsewhere.has(page))

/** For `useSyncExternalStore`; also hears of other tabs. */
export function onStoppedUploadsChange(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** What neither this page nor another tab is sending; newest first. What the server has removed by now is forgotten. */
export function stoppedUploads(): UnfinishedUpload[] {
  const keys =
    attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix))) ?? []
  const found: UnfinishedUpload[] = []
  for (const key of keys) {
    const upload = read(key)
    if (!upload || !isRecent(upload)) remove(key)
    else if (!running.has(idOf(upload)) && !isElsewhere(key, upload)) found.push(upload)
  }
  return found.toSorted((a, b) => Date.parse(b.creationTime) - Date.parse(a.creationTime))
}

/** Where this file was on its way to when it stopped, among the places that may still have it. */
export function stoppedPlaceOf(
  file: File,
  courseId: string,
  isFree: (place: string) => boolean,
): string | null {
  const fingerprint = fingerprintOf({ file, purpose: 'video', courseId })
  const found = stoppedUploads().find(
    (one) => one.fingerprint === fingerprint && one.place !== null && isFree(one.place),
  )
  return found?.place ?? null
}

export function forgetUpload(id: string): void {
  remove(prefix + id)
  setRunning(id, false)
}

export function rememberSent(url: string, sent: number): void {
  const upload = read(prefix + url)
  if (upload) write(prefix + url, { ...upload, sent, page: thisPage })
}

/** It goes on for this place, whichever it stopped at. */
export function renewPlace(url: string, { place }: Pick<Place, 'place'>): void {
  const upload = read(prefix + url)
  if (upload) write(prefix + url, { ...upload, place, page: thisPage })
}

type Waiting = Place & { place: string; fingerprint: string; size: number }

/** A file whose turn has not come; after a reload its place still says which one it was. */
export function rememberWaiting(upload: Waiting): void {
  const id = waitingId(upload.place)
  write(prefix + id, {
    ...upload,
    uploadUrl: null,
    parallelUploadUrls: null,
    metadata: {},
    creationTime: new Date().toISOString(),
    urlStorageKey: prefix + id,
    sent: 0,
    page: thisPage,
  })
  setRunning(id, true)
}

/** It stays known to later visits with `isKept`, when this page goes before its turn. */
export function endWaiting(place: string, isKept = false): void {
  if (isKept) setRunning(waitingId(place), false)
  else forgetUpload(waitingId(place))
}

/** A lesson that was saved is known by another name from then on. */
export function renamePlace(from: string, to: string): void {
  for (const upload of stoppedUploads().filter(({ place }) => place === from)) {
    remove(upload.urlStorageKey)
    const renamed = { ...upload, place: to }
    write(prefix + idOf(renamed), renamed)
    tellListeners()
  }
}

/** What tus-js-client needs to remember an upload for `place`. */
export function uploadMemory(place: Place): UrlStorage {
  const sent = () => stoppedUploads().filter(({ uploadUrl }) => uploadUrl !== null)
  return {
    findAllUploads: async () => sent(),
    findUploadsByFingerprint: async (fingerprint) =>
      sent().filter((upload) => upload.fingerprint === fingerprint),
    async removeUpload(key) {
      remove(key)
    },
    async addUpload(fingerprint, upload) {
      const key = prefix + (upload.uploadUrl ?? '')
      const sentBefore = read(key)?.sent ?? 0
      write(key, { ...upload, ...place, fingerprint, sent: sentBefore, page: thisPage })
      return key
    },
  }
}
