import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { thumbnailUrls } from '../../courses/rules.ts'
import { acceptedFiles, fileProblem, imageMaxMb } from '../rules.ts'
import { FileZone } from './file-zone.tsx'
import { useKeepFocus } from './keep-focus.ts'
import { uploadAnnouncement } from './upload-state-words.ts'
import { UploadStatus } from './upload-status.tsx'
import { busyStateOf, type UploadBusyState } from './upload-state.ts'
import { useUpload } from './use-upload.ts'

const loadCropper = () => import('./picture-cropper.tsx')

/** A stored picture: its id and the address of one of its widths. */
interface Thumbnail {
  id: string
  url: string
}

type ThumbnailUploadProps = {
  value: Thumbnail | null
  /** The new picture, accepted by the server; null when it was removed. */
  onChange: (thumbnail: Thumbnail | null) => void
  /** Also called with 'idle' when this part leaves the page. */
  onBusyChange?: (state: UploadBusyState) => void
  /** When the course exists already. */
  courseId?: string
  label?: string
  className?: string
}

/** Choose, crop, upload, look at, replace and remove the picture of a course. */
export function ThumbnailUpload({
  value,
  onChange,
  onBusyChange,
  courseId,
  label = 'Thumbnail',
  className,
}: ThumbnailUploadProps) {
  const [isReplacing, setIsReplacing] = useState(false)
  const [chosen, setChosen] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const upload = useUpload({
    purpose: 'thumbnail',
    courseId,
    onReady({ id: mediaId }) {
      setIsReplacing(false)
      onChange({ id: mediaId, url: thumbnailUrls(mediaId).medium })
    },
  })
  const { state } = upload
  const busy = busyStateOf(state)
  const focus = useKeepFocus<HTMLFieldSetElement>()

  const tellBusy = useEffectEvent((now: UploadBusyState) => onBusyChange?.(now))
  useEffect(() => tellBusy(busy), [busy])
  useEffect(() => () => tellBusy('idle'), [])

  function choose(file: File) {
    const found = fileProblem('thumbnail', file, 0)
    setProblem(found?.message ?? null)
    if (!found) setChosen(file)
  }

  function remove() {
    upload.cancel()
    onChange(null)
  }

  return (
    <fieldset
      {...focus}
      className={cn(
        'grid max-w-120 min-w-0 content-start gap-2 rounded-card outline-offset-4',
        className,
      )}
    >
      <legend className="mb-2 text-sm font-semibold">{label}</legend>
      <output className="sr-only">{uploadAnnouncement(state)}</output>
      {busy !== 'idle' ? (
        <UploadStatus state={state} onRetry={upload.retry} onCancel={upload.cancel} />
      ) : value && !isReplacing ? (
        <>
          <img
            src={value.url}
            alt="The thumbnail of this course"
            width={640}
            height={360}
            className="aspect-video w-full rounded-card border border-line bg-line object-cover"
          />
          <div className="flex flex-wrap gap-2">
            <Button size="sm" variant="secondary" onClick={() => setIsReplacing(true)}>
              Replace
            </Button>
            <Button size="sm" variant="ghost" onClick={remove}>
              Remove
            </Button>
          </div>
        </>
      ) : (
        <>
          <FileZone
            chooseLabel="Choose an image"
            hint={`PNG, JPG, GIF up to ${imageMaxMb.thumbnail}MB`}
            accept={acceptedFiles.thumbnail}
            onFile={choose}
            className="aspect-video"
          />
          {problem && <Banner tone="danger">{problem}</Banner>}
          {value ? (
            <Button
              size="sm"
              variant="ghost"
              className="justify-self-start"
              onClick={() => {
                setIsReplacing(false)
                setProblem(null)
              }}
            >
              Keep the present one
            </Button>
          ) : (
            <p className="text-sm text-muted">Without one, the course gets a default picture.</p>
          )}
        </>
      )}
      {chosen &&
        // Not inside of a form: Enter on a slider would send it.
        createPortal(
          <LaterDialog load={loadCropper} onFailed={() => setChosen(null)}>
            {({ default: PictureCropper }) => (
              <PictureCropper
                file={chosen}
                purpose="thumbnail"
                onCancel={() => setChosen(null)}
                onCropped={(part) => {
                  setChosen(null)
                  upload.start(part)
                }}
              />
            )}
          </LaterDialog>,
          document.body,
        )}
    </fieldset>
  )
}
