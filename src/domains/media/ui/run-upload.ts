// One upload from the chosen file to the accepted one, as states to show.
import { speedMeter } from './transfer-speed.ts'
import { beginTransfer, type FileToSend, type Transfer } from './transfer.ts'
import type { UploadedMedia, UploadState } from './upload-state.ts'

/** Milliseconds between two changes of the shown numbers. */
const showEvery = 200

export type UploadWatcher = {
  onState: (state: UploadState) => void
  /** Called once, after the server has accepted the file. */
  onReady: (media: UploadedMedia) => void
}

export function runUpload(what: FileToSend, { onState, onReady }: UploadWatcher): Transfer {
  const { name: filename, size: sizeBytes } = what.file
  const measure = speedMeter(sizeBytes)
  let shownAt = 0
  let percent = 0

  const onProgress = (sentBytes: number) => {
    const now = performance.now()
    const pace = measure(now, sentBytes)
    if (sentBytes === sizeBytes) {
      onState({ phase: 'checking', filename, sizeBytes })
      return
    }
    if (now - shownAt < showEvery) return
    shownAt = now
    percent = (sentBytes / sizeBytes) * 100
    onState({ phase: 'uploading', filename, sizeBytes, sentBytes, percent, ...pace })
  }

  onProgress(0)
  return beginTransfer(what, {
    onProgress,
    onInterrupted(isOffline) {
      shownAt = 0
      onState({ phase: 'interrupted', filename, percent, isOffline })
    },
    onFailure: (failure) => onState({ phase: 'failed', filename, ...failure }),
    onReady(mediaId) {
      onState({ phase: 'ready', filename, mediaId })
      onReady({ id: mediaId, filename, sizeBytes, status: 'ready', problem: null })
    },
  })
}
