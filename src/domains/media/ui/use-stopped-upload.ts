import { useSyncExternalStore } from 'react'
import { percentText } from '../../../ui/progress.tsx'
import { forgetUpload, onStoppedUploadsChange, stoppedUploads } from './unfinished-uploads.ts'

type StoppedUpload = { url: string; filename: string; percent: string }

/** As text, so that it is the same as long as it says the same. */
function snapshot(courseId: string, lessonId: string | null): string | null {
  const found = stoppedUploads().find(
    (one) => one.purpose === 'video' && one.courseId === courseId && one.lessonId === lessonId,
  )
  if (!found?.uploadUrl) return null
  const percent = percentText(found.size ? (found.sent / found.size) * 100 : 0)
  const stopped: StoppedUpload = { url: found.uploadUrl, filename: found.filename, percent }
  return JSON.stringify(stopped)
}

/** The newest video for this place that this browser started to upload and did not finish. */
export function useStoppedUpload(courseId: string, lessonId?: string) {
  const text = useSyncExternalStore(
    onStoppedUploadsChange,
    () => snapshot(courseId, lessonId ?? null),
    () => null,
  )
  const upload = text === null ? null : (JSON.parse(text) as StoppedUpload)

  function discard() {
    if (!upload) return
    forgetUpload(upload.url)
    // What cannot be removed now, the server removes after some days.
    fetch(upload.url, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } }).catch(() => {})
  }

  return { upload, discard }
}
