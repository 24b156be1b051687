import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { acceptedFiles, fileProblem, imageMaxMb } from '../../media/rules.ts'
import { FileZone } from '../../media/ui/file-zone.tsx'
import { useKeepFocus } from '../../media/ui/keep-focus.ts'
import { uploadAnnouncement } from '../../media/ui/upload-state-words.ts'
import { busyStateOf } from '../../media/ui/upload-state.ts'
import { UploadStatus } from '../../media/ui/upload-status.tsx'
import { useUpload } from '../../media/ui/use-upload.ts'
import { coverUrls, logoUrl } from '../rules.ts'

const loadCropper = () => import('../../media/ui/picture-cropper.tsx')

const kinds = {
  logo: {
    purpose: 'course_logo',
    field: 'logoId',
    label: 'Logo',
    alt: 'The logo of this course',
    shape: 'A square picture',
    urlOf: logoUrl,
    size: { width: 128, height: 128, className: 'size-32 rounded-card border bg-surface' },
  },
  cover: {
    purpose: 'course_cover',
    field: 'coverId',
    label: 'Cover',
    alt: 'The cover of this course',
    shape: 'Three times as wide as high',
    urlOf: (id: string) => coverUrls(id).medium,
    size: { width: 1280, height: 427, className: 'h-auto w-full rounded-card border bg-line' },
  },
} as const

type BrandPictureProps = {
  kind: keyof typeof kinds
  courseId: string
  /** Empty for none. */
  value: string
  error?: string
  onChange: (mediaId: string) => void
  onBusyChange: (isBusy: boolean) => void
}

/** Choose, crop, upload, replace and remove one picture of the course's look; its id is a field of the form. */
export function BrandPicture(props: BrandPictureProps) {
  const { kind, courseId, value, error, onChange, onBusyChange } = props
  const { purpose, field, label, alt, shape, urlOf, size } = kinds[kind]
  const isHydrated = useHydrated()
  const [chosen, setChosen] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const upload = useUpload({ purpose, courseId, onReady: ({ id }) => onChange(id) })
  const isBusy = busyStateOf(upload.state) !== 'idle'
  const focus = useKeepFocus<HTMLFieldSetElement>()

  const tellBusy = useEffectEvent((now: boolean) => onBusyChange(now))
  useEffect(() => tellBusy(isBusy), [isBusy])

  function choose(file: File) {
    const found = fileProblem(purpose, file, 0)
    setProblem(found?.message ?? null)
    if (!found) setChosen(file)
  }

  return (
    <fieldset {...focus} className="grid min-w-0 content-start gap-3 outline-offset-4">
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      <input type="hidden" name={field} value={value} />
      <output className="sr-only">{uploadAnnouncement(upload.state)}</output>
      {isBusy ? (
        <UploadStatus state={upload.state} onRetry={upload.retry} onCancel={upload.cancel} />
      ) : value !== '' ? (
        <>
          <img src={urlOf(value)} alt={alt} {...size} />
          {isHydrated ? (
            <Button
              size="sm"
              variant="secondary"
              className="justify-self-start"
              onClick={() => onChange('')}
            >
              Remove {label.toLowerCase()}
            </Button>
          ) : (
            <Button
              type="submit"
              size="sm"
              variant="secondary"
              name="remove"
              value={kind}
              className="justify-self-start"
            >
              Remove {label.toLowerCase()}
            </Button>
          )}
        </>
      ) : (
        <div inert={!isHydrated}>
          <FileZone
            chooseLabel={`Choose a ${label.toLowerCase()}`}
            hint={`${shape}, PNG, JPG, GIF or WebP up to ${imageMaxMb[purpose]}MB`}
            accept={acceptedFiles[purpose]}
            onFile={choose}
          />
          <noscript>
            <p className="mt-3 text-sm text-muted">
              Choosing a picture needs JavaScript in your browser.
            </p>
          </noscript>
        </div>
      )}
      {problem && <Banner tone="danger">{problem}</Banner>}
      {error && <FieldError>{error}</FieldError>}
      {chosen &&
        // Not inside of a form: Enter on a slider would send it.
        createPortal(
          <LaterDialog load={loadCropper} onFailed={() => setChosen(null)}>
            {({ default: PictureCropper }) => (
              <PictureCropper
                file={chosen}
                purpose={purpose}
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
