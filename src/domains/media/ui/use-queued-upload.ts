import { useCallback, useSyncExternalStore } from 'react'
import type { UploadQueue } from './upload-queue.ts'
import type { UploadState } from './upload-state.ts'

const none: UploadState = { phase: 'idle' }

/** Draws only what shows this one upload. */
export function useQueuedUpload(uploads: UploadQueue, key: string): UploadState {
  const subscribe = useCallback(
    (listener: () => void) => uploads.subscribe(key, listener),
    [uploads, key],
  )
  return useSyncExternalStore(
    subscribe,
    () => uploads.stateOf(key),
    () => none,
  )
}
