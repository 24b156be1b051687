import { Film } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { acceptedFiles, videoUrl } from '../rules.ts'
import { FileZone } from './file-zone.tsx'
import { useKeepFocus } from './keep-focus.ts'
import { UploadStatus, uploadAnnouncement } from './upload-status.tsx'
import { sizeText } from './upload-words.ts'
import { useStoppedUpload } from './use-stopped-upload.ts'
import { busyStateOf, type UploadBusyState, useUpload } from './use-upload.ts'

/** A lesson's video as the API has it. */
interface Video {
  id: string
  filename: string
  sizeBytes: number
  status: 'uploading' | 'ready' | 'failed'
  problem: string | null
}

type VideoUploadProps = {
  courseId: string
  /** So that an upload that stopped is shown at its lesson only; left out for a lesson without an id. */
  lessonId?: string
  videoMaxMb: number
  video: Video | null
  /** The lesson's new video, accepted by the server; null when it was removed. */
  onChange: (video: Video | null) => void
  /** Also called with 'idle' when this part leaves the page; the upload then stops, to go on later. */
  onBusyChange?: (state: UploadBusyState) => void
  /** Above everything else; also the name of the whole part. */
  label?: string
  className?: string
}

/** Choose, upload, look at and remove the video of a lesson. */
export function VideoUpload({
  courseId,
  lessonId,
  videoMaxMb,
  video,
  onChange,
  onBusyChange,
  label = 'Video',
  className,
}: VideoUploadProps) {
  const upload = useUpload({ purpose: 'video', courseId, lessonId, videoMaxMb, onReady: onChange })
  const { state } = upload
  const busy = busyStateOf(state)
  const isWorking = busy !== 'idle'
  const stopped = useStoppedUpload(courseId, lessonId)
  const focus = useKeepFocus<HTMLFieldSetElement>()

  const tellBusy = useEffectEvent((now: UploadBusyState) => onBusyChange?.(now))
  useEffect(() => tellBusy(busy), [busy])
  useEffect(() => () => tellBusy('idle'), [])

  function remove() {
    upload.cancel()
    onChange(null)
  }

  return (
    <fieldset
      {...focus}
      className={cn('grid min-w-0 content-start gap-2 rounded-card outline-offset-4', className)}
    >
      <legend className="mb-2 text-sm font-semibold">{label}</legend>
      <output className="sr-only">{uploadAnnouncement(state)}</output>
      {isWorking ? (
        <UploadStatus state={state} onRetry={upload.retry} onCancel={upload.cancel} />
      ) : video ? (
        <StoredVideo key={video.id} video={video} onRemove={remove} />
      ) : (
        <>
          {stopped.upload && (
            <Banner
              action={
                <Button size="sm" variant="ghost" onClick={stopped.discard}>
                  Discard
                </Button>
              }
            >
              Upload of “<span className="wrap-anywhere">{stopped.upload.filename}</span>” stopped
              at {stopped.upload.percent}. Choose the same file again to go on.
            </Banner>
          )}
          <FileZone
            chooseLabel="Choose a video"
            hint={`MP4, WebM, OGG, AVI, MOV up to ${videoMaxMb}MB`}
            accept={acceptedFiles.video}
            onFile={upload.start}
          />
        </>
      )}
    </fieldset>
  )
}

function StoredVideo({ video, onRemove }: { video: Video; onRemove: () => void }) {
  const [canPlay, setCanPlay] = useState(true)
  const isReady = video.status === 'ready'

  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-4 shadow-card sm:grid-cols-[14rem_1fr]">
      {isReady && canPlay ? (
        // A preview for its creator; captions come with the lesson's player.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          controls
          preload="metadata"
          playsInline
          src={videoUrl(video.id)}
          aria-label={`Preview of ${video.filename}`}
          onError={() => setCanPlay(false)}
          className="aspect-video w-full rounded-control bg-track object-contain"
        />
      ) : (
        <div className="grid aspect-video w-full place-items-center rounded-control bg-wash text-muted">
          <Film size={28} aria-hidden />
        </div>
      )}
      <div className="flex flex-wrap content-center items-center justify-between gap-3">
        <div className="grid gap-0.5">
          <p className="font-medium wrap-anywhere">{video.filename}</p>
          <p className="text-sm text-muted tabular-nums">{sizeText(video.sizeBytes)}</p>
          {isReady && !canPlay && (
            <p className="text-sm text-warning">
              This browser cannot play this file, so some learners may not see it. MP4 with H.264
              plays everywhere.
            </p>
          )}
          {video.status === 'failed' && <p className="text-sm text-danger">{video.problem}</p>}
          {video.status === 'uploading' && (
            <p className="text-sm text-warning">This upload is not finished.</p>
          )}
        </div>
        <Button size="sm" variant="secondary" onClick={onRemove}>
          Remove video
        </Button>
      </div>
    </div>
  )
}
