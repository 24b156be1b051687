import { useEffect, useRef, useState } from 'react'
import { fileProblem, type Purpose } from '../rules.ts'
import { runUploadLater } from './run-upload-later.ts'
import type { Transfer } from './transfer.ts'
import type { UploadedMedia, UploadState } from './upload-state.ts'

export interface UploadOptions {
  /** Videos go through the queue of their editor (upload-queue.ts). */
  purpose: Exclude<Purpose, 'video'>
  /** A thumbnail may come before its course. */
  courseId?: string
  /** Where it goes on when the page is opened again; without it, it merely goes on with the same file. */
  place?: string
  /** Only for course files. */
  importMaxMb?: number
  /** Called once per file, after the server has accepted it. */
  onReady: (media: UploadedMedia) => void
  onChange?: (state: UploadState) => void
}

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
    const { purpose, courseId = null, place = null, importMaxMb = 0 } = options
    const problem = fileProblem(purpose, file, importMaxMb)
    if (problem) {
      transfer.current = null
      show({ phase: 'failed', filename: file.name, message: problem.message, canRetry: false })
      return
    }
    transfer.current = runUploadLater(
      { file, purpose, courseId, place },
      { onState: show, onReady: (media) => latest.current.onReady(media) },
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
