import { generalProblem } from '../rules.ts'
import type { runUpload, UploadWatcher } from './run-upload.ts'
import type { FileToSend, Transfer } from './transfer.ts'

const load = () => import('./run-upload.ts')

/** `runUpload`, whose code is fetched when somebody uploads. A fetch that fails is a failed upload. */
export function runUploadLater(
  what: FileToSend,
  watcher: UploadWatcher,
  fetchCode: () => Promise<{ runUpload: typeof runUpload }> = load,
): Transfer {
  const { name: filename, size: sizeBytes } = what.file
  let transfer: Transfer | null = null
  let state: 'fetching' | 'stopped' | 'over' = 'stopped'

  async function begin() {
    state = 'fetching'
    watcher.onState({
      phase: 'uploading',
      filename,
      sizeBytes,
      sentBytes: 0,
      percent: 0,
      bytesPerSecond: null,
      secondsLeft: null,
    })
    const code = await fetchCode().catch(() => null)
    if (state !== 'fetching') return
    if (code) {
      leave()
      transfer = code.runUpload(what, watcher)
      return
    }
    state = 'stopped'
    if (navigator.onLine) {
      const message = generalProblem(what.purpose)
      watcher.onState({ phase: 'failed', filename, message, canRetry: true })
    } else watcher.onState({ phase: 'interrupted', filename, percent: 0, isOffline: true })
  }

  function goOn() {
    if (state === 'stopped') void begin()
  }

  function leave() {
    state = 'over'
    window.removeEventListener('online', goOn)
  }

  window.addEventListener('online', goOn)
  void begin()
  return {
    resume: () => (transfer ? transfer.resume() : goOn()),
    stop() {
      leave()
      transfer?.stop()
    },
    cancel() {
      leave()
      transfer?.cancel()
    },
  }
}
