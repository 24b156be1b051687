import { Banner } from '../../../ui/banner.tsx'
import { cn } from '../../../ui/cn.ts'
import { acceptedFiles } from '../rules.ts'
import { FileZone } from './file-zone.tsx'
import { useKeepFocus } from './keep-focus.ts'
import { playWarning } from './plays-in-browsers.ts'
import { StoppedUploadBanner } from './stopped-upload-banner.tsx'
import { StoredVideo, type Video } from './stored-video.tsx'
import type { UploadQueue } from './upload-queue.ts'
import { busyStateOf } from './upload-state.ts'
import { uploadAnnouncement } from './upload-state-words.ts'
import { UploadStatus } from './upload-status.tsx'
import { useQueuedUpload } from './use-queued-upload.ts'
import { useStoppedUpload } from './use-stopped-upload.ts'

type VideoUploadProps = {
  courseId: string
  /** Has the upload itself, which goes on when this part leaves the page. */
  uploads: UploadQueue
  /** Under which this lesson's upload is in the queue. */
  uploadKey: string
  /** The lesson, so that an upload that stopped is shown at its lesson only. */
  place: string
  videoMaxMb: number
  processesVideos: boolean
  video: Video | null
  /** Another state of the same file, maybe after it was removed; null when it was removed. */
  onChange: (video: Video | null) => void
  /** Above everything else; also the name of the whole part. */
  label?: string
  className?: string
}

/** Choose, upload, look at and remove the video of a lesson. */
export function VideoUpload(props: VideoUploadProps) {
  const { courseId, uploads, uploadKey, place, videoMaxMb, processesVideos, video } = props
  const { onChange, label = 'Video', className } = props
  const state = useQueuedUpload(uploads, uploadKey)
  const isWorking = busyStateOf(state) !== 'idle'
  const stopped = useStoppedUpload({ purpose: 'video', courseId, place })
  const focus = useKeepFocus<HTMLFieldSetElement>()
  const warning =
    isWorking && 'filename' in state ? playWarning(state.filename, processesVideos) : null

  return (
    <fieldset
      {...focus}
      className={cn('grid min-w-0 content-start gap-2 rounded-card outline-offset-4', className)}
    >
      <legend className="mb-2 text-sm font-semibold">{label}</legend>
      <output className="sr-only">{uploadAnnouncement(state)}</output>
      {isWorking ? (
        <UploadStatus
          state={state}
          onRetry={() => uploads.retry(uploadKey)}
          onCancel={() => uploads.cancel(uploadKey)}
        />
      ) : video ? (
        <StoredVideo
          key={video.id}
          video={video}
          processesVideos={processesVideos}
          onChange={onChange}
          onRemove={() => onChange(null)}
        />
      ) : (
        <>
          {stopped.upload && (
            <StoppedUploadBanner upload={stopped.upload} onDiscard={() => void stopped.discard()} />
          )}
          <FileZone
            chooseLabel="Choose a video"
            hint={`MP4, WebM, OGG, AVI, MOV up to ${videoMaxMb}MB`}
            accept={acceptedFiles.video}
            onFile={(file) => uploads.start(uploadKey, place, file)}
            leavesSeveral
            goesOn={Boolean(stopped.upload)}
          />
        </>
      )}
      {warning && state.phase !== 'failed' && <Banner tone="warning">{warning}</Banner>}
    </fieldset>
  )
}
