import { useSyncExternalStore } from 'react'
import { percentText } from '../../../ui/progress.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  forgetUpload,
  idOf,
  onStoppedUploadsChange,
  stoppedUploads,
  type UnfinishedUpload,
} from './unfinished-uploads.ts'

type Place = Pick<UnfinishedUpload, 'purpose' | 'courseId' | 'place'>

export type StoppedUpload = { id: string; url: string | null; filename: string; percent: string }

/** As text, so that it is the same as long as it says the same. */
function snapshot({ purpose, courseId, place }: Place): string | null {
  const found = stoppedUploads().find(
    (one) => one.purpose === purpose && one.courseId === courseId && one.place === place,
  )
  if (!found) return null
  const { uploadUrl: url, filename } = found
  const percent = percentText(found.size ? (found.sent / found.size) * 100 : 0)
  const stopped: StoppedUpload = { id: idOf(found), url, filename, percent }
  return JSON.stringify(stopped)
}

/** Why the server did not remove it; null when nothing is there any more, or it is in use. */
async function removalProblem(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } })
    if (answer.ok || [404, 409, 410].includes(answer.status)) return null
    if (answer.status === 401) return 'You are signed out. Please log in again.'
    return answer.status < 500 ? await answer.text() : 'Something went wrong on our side.'
  } catch {
    return 'The server cannot be reached.'
  }
}

/** The newest file for this place that this browser was to upload and did not finish. */
export function useStoppedUpload(place: Place) {
  const text = useSyncExternalStore(
    onStoppedUploadsChange,
    () => snapshot(place),
    () => null,
  )
  const upload = text === null ? null : (JSON.parse(text) as StoppedUpload)

  async function discard() {
    if (!upload) return
    const problem = upload.url === null ? null : await removalProblem(upload.url)
    if (problem === null) forgetUpload(upload.id)
    else
      void toast.error(
        `Failed to remove ${place.purpose === 'video' ? 'video' : 'file'}: ${problem}`,
        { position: 'top-center' },
      )
  }

  return { upload, discard }
}
