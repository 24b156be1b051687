// One file on its way to the server; knows nothing of React.
import type { DetailedError, PreviousUpload, Upload } from 'tus-js-client'
import { generalProblem, type Purpose } from '../rules.ts'
import {
  fingerprintOf,
  forgetUpload,
  rememberSent,
  renewPlace,
  setRunning,
  type UnfinishedUpload,
  uploadMemory,
} from './unfinished-uploads.ts'
import { whenServerIsBack } from './when-server-is-back.ts'

const chunkBytes = 5 * 1024 * 1024
/** Three attempts, 1 s times the attempt between them (spec 1, sections 8 and 9). Counted anew as soon as a byte got through. */
export const retryDelays = [1000, 2000]
/** Milliseconds between two notes of how far the upload is, for after a reload. */
const noteEvery = 1000

export interface FileToSend {
  file: File
  purpose: Purpose
  courseId: string | null
  /** Where in the course, to say there after a reload that an upload stopped. */
  place: string | null
}

export interface TransferEvents {
  onProgress(sentBytes: number): void
  /** The server has all bytes, has looked at them and accepts them. */
  onReady(mediaId: string): void
  /** No progress for now; the transfer goes on by itself, when offline as soon as the network is back. */
  onInterrupted(isOffline: boolean): void
  /** Where it may be tried again, it also goes on by itself once a network or server that was away is back. */
  onFailure(failure: { message: string; canRetry: boolean }): void
}

export interface Transfer {
  /** After a failure, or while offline: from where the server is. */
  resume(): void
  /** Leaves what was sent on the server, to go on later. */
  stop(): void
  /** Ends it and removes what was sent. */
  cancel(): void
}

/** Where the upload stands was not said, which does not mean that it is gone. */
class StandUnknown extends Error {
  readonly status: number

  constructor(status: number) {
    super(`where the upload stands was answered with ${status}`)
    this.status = status
  }
}

const isRequestError = (error: Error): error is DetailedError => 'originalRequest' in error

/** What the server answered; 0 when it did not. */
function statusOf(error: Error): number {
  if (!isRequestError(error)) return 0
  const { causingError, originalResponse } = error
  if (causingError instanceof StandUnknown) return causingError.status
  return originalResponse?.getStatus() ?? 0
}

/** Refusals of the server are sentences for people; anything longer or stranger is not shown. */
function sentence(body: string): string | null {
  const text = body.trim()
  if (text === '' || text.length > 300 || text.startsWith('<') || text.startsWith('{')) return null
  return text
}

function describeFailure(error: Error, purpose: Purpose) {
  const response = isRequestError(error) ? error.originalResponse : null
  const status = statusOf(error)
  if (status === 401) {
    return {
      message: 'You are signed out. Please log in again in another tab, then try again.',
      canRetry: true,
    }
  }
  // 507: the server's disk is full, which is not the fault of what was sent, and is said in words too.
  const isRefusal = (status >= 400 && status < 500) || status === 507
  const message = (isRefusal && sentence(response?.getBody() ?? '')) || generalProblem(purpose)
  return { message, canRetry: ![400, 403, 413, 415].includes(status) }
}

function shouldRetry(error: DetailedError): boolean {
  const status = statusOf(error)
  // 409 and 423: another connection of this upload is still open on the server, or was cut just now.
  return navigator.onLine && (status < 400 || status >= 500 || status === 409 || status === 423)
}

async function open(what: FileToSend, events: TransferEvents): Promise<Upload> {
  // Fetched when somebody uploads; pages are lighter without it.
  const tus = await import('tus-js-client')
  const { file, purpose, courseId, place } = what
  let notedAt = 0
  const upload: Upload = new tus.Upload(file, {
    endpoint: `${location.origin}/storage/v1/uploads`,
    chunkSize: chunkBytes,
    retryDelays,
    onShouldRetry(error) {
      const isRetried = shouldRetry(error)
      if (isRetried) events.onInterrupted(false)
      return isRetried
    },
    urlStorage: uploadMemory({ purpose, courseId, place, filename: file.name }),
    fingerprint: async () => fingerprintOf(what),
    removeFingerprintOnSuccess: true,
    metadata: {
      purpose,
      filename: file.name,
      filetype: file.type,
      ...(courseId === null ? {} : { courseId }),
    },
    onAfterResponse(request, response) {
      const status = response.getStatus()
      // The library takes all but 423 for an upload that is gone, and begins anew at the first byte.
      const isSaid = status < 400 || [404, 410, 423].includes(status)
      if (request.getMethod() === 'HEAD' && !isSaid) throw new StandUnknown(status)
    },
    onUploadUrlAvailable() {
      setRunning(upload.url, true)
      // It may have stopped at another place, and goes on for this one.
      if (upload.url) renewPlace(upload.url, what)
    },
    onProgress(sent) {
      events.onProgress(sent)
      if (!upload.url || Date.now() - notedAt < noteEvery) return
      notedAt = Date.now()
      rememberSent(upload.url, sent)
    },
    onSuccess() {
      setRunning(upload.url, false)
      events.onReady(upload.url?.split('/').at(-1) ?? '')
    },
    onError(error) {
      setRunning(upload.url, false)
      if (!navigator.onLine) {
        events.onInterrupted(true)
        return
      }
      const failure = describeFailure(error, purpose)
      if (!failure.canRetry && upload.url) forgetUpload(upload.url)
      events.onFailure(failure)
    },
  })
  return upload
}

/** Starts to send a file; goes on where an earlier upload of the same file to the same place ended. */
export function beginTransfer(what: FileToSend, events: TransferEvents): Transfer {
  let upload: Upload | null = null
  let state: 'running' | 'offline' | 'failed' | 'over' = 'running'
  let mayGoOn = true
  /** Of looking whether the server is back. */
  let looking = new AbortController()

  const reported: TransferEvents = {
    onProgress: (sent) => events.onProgress(sent),
    onReady(mediaId) {
      leave()
      // Nothing is left to cancel: the file is where it belongs.
      upload = null
      events.onReady(mediaId)
    },
    onInterrupted(isOffline) {
      if (isOffline) state = 'offline'
      events.onInterrupted(isOffline)
    },
    onFailure(failure) {
      state = 'failed'
      mayGoOn = failure.canRetry
      if (mayGoOn) whenServerIsBack(looking.signal, backAgain)
      events.onFailure(failure)
    },
  }

  async function run() {
    looking.abort()
    looking = new AbortController()
    state = 'running'
    try {
      const earlierUrl = upload?.url ?? null
      const next = await open(what, reported)
      // A running one is not among them: a second upload of the same file must not join in.
      const found = await next.findPreviousUploads()
      if (isOver()) return
      const mine = (one: PreviousUpload) => (one as UnfinishedUpload).place === what.place
      const earlier =
        found.find(({ uploadUrl }) => uploadUrl === earlierUrl) ?? found.find(mine) ?? found[0]
      if (earlier) next.resumeFromPreviousUpload(earlier)
      else next.options.uploadUrl = earlierUrl
      upload = next
      next.start()
    } catch {
      // The code of the uploader itself could not be fetched.
      if (isOver()) return
      if (navigator.onLine)
        reported.onFailure({ message: generalProblem(what.purpose), canRetry: true })
      else reported.onInterrupted(true)
    }
  }

  const isOver = () => state === 'over'

  function resume() {
    if (state === 'failed' || state === 'offline') void run()
  }

  function backAgain() {
    if (state === 'offline' || (state === 'failed' && mayGoOn)) void run()
  }

  function leave() {
    state = 'over'
    looking.abort()
    window.removeEventListener('online', backAgain)
  }

  function end(shouldRemove: boolean) {
    leave()
    if (!upload) return
    const { url } = upload
    // What cannot be removed now, the server removes after some days.
    upload.abort(shouldRemove).catch(() => {})
    setRunning(url, false)
    if (shouldRemove && url) forgetUpload(url)
  }

  window.addEventListener('online', backAgain)
  void run()
  return { resume, stop: () => end(false), cancel: () => end(true) }
}
