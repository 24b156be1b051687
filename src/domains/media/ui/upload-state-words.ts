// What an upload's state is called, on screen and for screen readers.
import { percentText } from '../../../ui/progress.tsx'
import type { UploadState } from './upload-state.ts'
import { sizeText, timeLeftText } from './upload-words.ts'

const interruption = (isOffline: boolean) =>
  isOffline
    ? 'You are offline. The upload goes on by itself when the connection is back.'
    : 'The connection was interrupted. Trying again…'

export type UploadUnderWay = Exclude<UploadState, { phase: 'idle' | 'ready' | 'failed' }>

/** Undefined where nobody knows. */
export function percentOf(state: UploadUnderWay): number | undefined {
  if (state.phase === 'waiting') return 0
  return state.phase === 'checking' ? undefined : state.percent
}

export function valueOf({ phase }: UploadUnderWay): string | undefined {
  if (phase === 'waiting') return 'Waiting'
  return phase === 'checking' ? 'Checking' : undefined
}

/** Size, speed and time left, or why nothing moves. */
export function uploadDetail(state: UploadUnderWay): string {
  if (state.phase === 'waiting')
    return `${sizeText(state.sizeBytes)}. Begins when the videos before it are uploaded.`
  if (state.phase === 'checking') return 'All sent. Checking the file…'
  if (state.phase === 'interrupted') return interruption(state.isOffline)
  const parts = [`${sizeText(state.sentBytes)} of ${sizeText(state.sizeBytes)}`]
  if (state.bytesPerSecond) parts.push(`${sizeText(state.bytesPerSecond)}/s`)
  if (state.secondsLeft !== null) parts.push(timeLeftText(state.secondsLeft))
  return parts.join(' · ')
}

/** For screen readers: the start, each quarter, the end; never every percent. */
export function uploadAnnouncement(state: UploadState): string {
  switch (state.phase) {
    case 'waiting':
      return `${state.filename} waits for its turn`
    case 'uploading': {
      const quarter = Math.floor(state.percent / 25) * 25
      return quarter === 0
        ? `Uploading ${state.filename}`
        : `${percentText(quarter)} of ${state.filename} uploaded`
    }
    case 'checking':
      return `${state.filename} is uploaded and is being checked`
    case 'interrupted':
      return interruption(state.isOffline)
    case 'ready':
      return `${state.filename} is ready`
    // A failure is announced by its own alert.
    default:
      return ''
  }
}
