// The files that an editor or a post uploads: some at a time, the others wait for their turn. Outside of React, so that
// moving numbers draw nothing again but what shows them.
import { fileProblem, type Purpose } from '../rules.ts'
import { runUploadLater } from './run-upload-later.ts'
import type { runUpload } from './run-upload.ts'
import type { Transfer } from './transfer.ts'
import { endWaiting, fingerprintOf, rememberWaiting } from './unfinished-uploads.ts'
import {
  busyStateOf,
  type UploadBusyState,
  type UploadedMedia,
  type UploadState,
} from './upload-state.ts'

/** More would not be faster, and the server allows a person few unfinished uploads. */
const atATime = 3

type Owner = {
  courseId: string
  videoMaxMb: number
  /** Videos of lessons without it. */
  purposeOf?: (file: File) => Purpose
  /** The key is the one that the upload was started with. */
  onReady: (key: string, media: UploadedMedia) => void
  onBusyChange: (key: string, busy: UploadBusyState) => void
}

type Entry = {
  file: File
  /** The lesson, by the name under which it is known after a reload. */
  place: string
  state: UploadState
  /** Null until its turn has come. */
  transfer: Transfer | null
}

export type UploadQueue = ReturnType<typeof createUploadQueue>

const idle: UploadState = { phase: 'idle' }
const running: UploadState['phase'][] = ['uploading', 'checking', 'interrupted']

/** `run` is another one in tests. */
export function createUploadQueue(owner: Owner, run: typeof runUpload = runUploadLater) {
  const { courseId, purposeOf = () => 'video' } = owner
  const entries = new Map<string, Entry>()
  const listeners = new Map<string, Set<() => void>>()

  const stateOf = (key: string) => entries.get(key)?.state ?? idle

  function tell(key: string, before: UploadState) {
    const busy = busyStateOf(stateOf(key))
    if (busy !== busyStateOf(before)) owner.onBusyChange(key, busy)
    for (const listener of listeners.get(key) ?? []) listener()
  }

  function show(key: string, entry: Entry, state: UploadState) {
    // It was cancelled, or another file took its place.
    if (entries.get(key) !== entry) return
    const before = entry.state
    entry.state = state
    tell(key, before)
    if (!running.includes(state.phase)) goOn()
  }

  /** Lets those who wait begin, as many as may. */
  function goOn() {
    for (const [key, entry] of entries) {
      const underWay = [...entries.values()].filter(({ state }) => running.includes(state.phase))
      if (underWay.length >= atATime) return
      if (entry.state.phase === 'waiting') begin(key, entry)
    }
  }

  function begin(key: string, entry: Entry) {
    const { file, place } = entry
    const { name: filename, size: sizeBytes } = file
    endWaiting(place)
    if (entry.transfer) {
      const { transfer } = entry
      show(key, entry, {
        phase: 'uploading',
        filename,
        sizeBytes,
        sentBytes: 0,
        percent: 0,
        bytesPerSecond: null,
        secondsLeft: null,
      })
      transfer.resume()
      return
    }
    entry.transfer = run(
      { file, purpose: purposeOf(file), courseId, place },
      {
        onState: (state) => show(key, entry, state),
        onReady: (media) => void (entries.get(key) === entry && owner.onReady(key, media)),
      },
    )
  }

  function wait(key: string, entry: Entry) {
    const { file, place } = entry
    const { name: filename, size } = file
    const purpose = purposeOf(file)
    const fingerprint = fingerprintOf({ file, purpose, courseId })
    rememberWaiting({ purpose, courseId, place, filename, fingerprint, size })
    show(key, entry, { phase: 'waiting', filename, sizeBytes: size })
  }

  /** Takes it out of the queue; what was sent stays on the server with `isKept`. */
  function end(key: string, isKept: boolean) {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    endWaiting(entry.place, isKept && entry.state.phase === 'waiting')
    if (isKept) entry.transfer?.stop()
    else entry.transfer?.cancel()
    tell(key, entry.state)
  }

  return {
    stateOf,

    /** For `useSyncExternalStore`. */
    subscribe(key: string, listener: () => void): () => void {
      const those = listeners.get(key) ?? new Set()
      listeners.set(key, those.add(listener))
      return () => {
        those.delete(listener)
        if (those.size === 0) listeners.delete(key)
      }
    },

    /** A file that cannot be accepted fails at once, with the reason. */
    start(key: string, place: string, file: File) {
      end(key, true)
      const entry: Entry = { file, place, state: idle, transfer: null }
      entries.set(key, entry)
      const problem = fileProblem(purposeOf(file), file, owner.videoMaxMb)
      if (problem) {
        const { message } = problem
        show(key, entry, { phase: 'failed', filename: file.name, message, canRetry: false })
      } else wait(key, entry)
    },

    /** After a failure in its turn, when offline at once; from where it stopped. */
    retry(key: string) {
      const entry = entries.get(key)
      if (entry?.state.phase === 'failed') wait(key, entry)
      else entry?.transfer?.resume()
    },

    /** Ends it and removes what was sent. */
    cancel(key: string) {
      end(key, false)
      goOn()
    },

    /** Cancels those whose lesson is gone. */
    keepOnly(isThere: (key: string) => boolean) {
      for (const key of entries.keys()) if (!isThere(key)) end(key, false)
      goOn()
    },

    /** Ends all of them; each goes on when its file is chosen again. */
    stop() {
      const keys = [...entries.keys()]
      for (const key of keys.filter((one) => stateOf(one).phase === 'waiting')) end(key, true)
      for (const key of keys) end(key, true)
    },
  }
}
