export type UploadState =
  | { phase: 'idle' }
  /** Others go first. */
  | { phase: 'waiting'; filename: string; sizeBytes: number }
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
export interface UploadedMedia {
  id: string
  filename: string
  sizeBytes: number
  status: 'ready'
  problem: null
}
