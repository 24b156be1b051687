import { useEffect, useRef, useState } from 'react'
import { fileProblem, type Purpose } from '../rules.ts'
import { speedMeter } from './transfer-speed.ts'
import { beginTransfer, type Transfer } from './transfer.ts'

export type UploadState =
  | { phase: 'idle' }
  /** `secondsLeft` and `bytesPerSecond` are null until they can be told. */
  | {
      phase: 'uploading'
      filename: string
      sizeBytes: number
      sentBytes: number
      percent: number
      bytesPerSecond: number | null
      secondsLeft: number | null
    }
  /** All bytes are sent; the server looks at them. */
  | { phase: 'checking'; filename: string; sizeBytes: number }
  /** No progress for now; it goes on by itself, when offline as soon as the network is back. */
  | { phase: 'interrupted'; filename: string; percent: number; isOffline: boolean }
  | { phase: 'failed'; filename: string; message: string; canRetry: boolean }
  | { phase: 'ready'; filename: string; mediaId: string }

/** What keeps an editor from saving (spec 2, section 4). */
export type UploadBusyState = 'idle' | 'uploading' | 'failed'

export function busyStateOf({ phase }: UploadState): UploadBusyState {
  if (phase === 'failed') return 'failed'
  return phase === 'idle' || phase === 'ready' ? 'idle' : 'uploading'
}

/** What an upload has become; the same shape as the API's. */
interface UploadedMedia {
  id: string
  filename: string
  sizeBytes: number
  status: 'ready'
  problem: null
}

export interface UploadOptions {
  purpose: Purpose
  /** A video belongs to a course; a thumbnail may come before it. */
  courseId?: string
  /** Where in the course, to say there that an upload stopped. */
  lessonId?: string
  /** Only for videos. */
  videoMaxMb?: number
  /** Only for course files. */
  importMaxMb?: number
  /** Called once per file, after the server has accepted it. */
  onReady: (media: UploadedMedia) => void
  onChange?: (state: UploadState) => void
}

/** Milliseconds between two changes of the shown numbers. */
const showEvery = 200

/**
 * Sends files to the server, one at a time, resumable: after a broken connection or a reload the same
 * file goes on where it was. Checks type and size first, with the spec's messages.
 */
export function useUpload(options: UploadOptions) {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const latest = useRef(options)
  const transfer = useRef<Transfer | null>(null)

  useEffect(() => {
    latest.current = options
  })
  useEffect(() => () => transfer.current?.stop(), [])

  function show(next: UploadState) {
    setState(next)
    latest.current.onChange?.(next)
  }

  function start(file: File) {
    transfer.current?.stop()
    const { purpose, courseId = null, lessonId = null, videoMaxMb = 0, importMaxMb = 0 } = options
    const { name: filename, size: sizeBytes } = file
    const problem = fileProblem(purpose, file, purpose === 'import' ? importMaxMb : videoMaxMb)
    if (problem) {
      transfer.current = null
      show({ phase: 'failed', filename, message: problem.message, canRetry: false })
      return
    }

    const measure = speedMeter(sizeBytes)
    let shownAt = 0
    let percent = 0
    const uploading = (sentBytes: number) => {
      const now = performance.now()
      const pace = measure(now, sentBytes)
      if (sentBytes === sizeBytes) {
        show({ phase: 'checking', filename, sizeBytes })
        return
      }
      if (now - shownAt < showEvery) return
      shownAt = now
      percent = (sentBytes / sizeBytes) * 100
      show({ phase: 'uploading', filename, sizeBytes, sentBytes, percent, ...pace })
    }
    uploading(0)
    transfer.current = beginTransfer(
      { file, purpose, courseId, lessonId },
      {
        onProgress: uploading,
        onInterrupted(isOffline) {
          shownAt = 0
          show({ phase: 'interrupted', filename, percent, isOffline })
        },
        onFailure: (failure) => show({ phase: 'failed', filename, ...failure }),
        onReady(mediaId) {
          transfer.current = null
          show({ phase: 'ready', filename, mediaId })
          latest.current.onReady({
            id: mediaId,
            filename,
            sizeBytes,
            status: 'ready',
            problem: null,
          })
        },
      },
    )
  }

  /** From where it stopped. */
  function retry() {
    transfer.current?.resume()
  }

  /** Ends what is under way, removes what was sent, and starts over with nothing chosen. */
  function cancel() {
    transfer.current?.cancel()
    transfer.current = null
    show({ phase: 'idle' })
  }

  return { state, start, retry, cancel }
}
