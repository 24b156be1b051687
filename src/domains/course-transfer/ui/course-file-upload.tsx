import { useState } from 'react'
import { useRevalidator, useRouteLoaderData } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { loader } from '../../../root.tsx'
import { useLeaveGuard } from '../../courses/ui/leave-guard.tsx'
import { acceptedFiles, bytesPerMb } from '../../media/rules.ts'
import { FileZone } from '../../media/ui/file-zone.tsx'
import { useKeepFocus } from '../../media/ui/keep-focus.ts'
import { StoppedUploadBanner } from '../../media/ui/stopped-upload-banner.tsx'
import { uploadAnnouncement } from '../../media/ui/upload-state-words.ts'
import { UploadStatus } from '../../media/ui/upload-status.tsx'
import { sizeText } from '../../media/ui/upload-words.ts'
import { busyStateOf } from '../../media/ui/upload-state.ts'
import { useStoppedUpload } from '../../media/ui/use-stopped-upload.ts'
import { useUpload } from '../../media/ui/use-upload.ts'

const stillUploading =
  'The course file is still uploading. To go on later, choose the same file again.'
const notImported = 'The course file is here, but its import has not started.'

/** The file is here, and its import is being asked for; or was refused. */
type Start = { mediaId: string; filename: string; problem: string | null }

/** Sends a course file, and asks for its import as soon as it is here. */
export function CourseFileUpload({ importMaxMb }: { importMaxMb: number }) {
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const focus = useKeepFocus<HTMLFieldSetElement>()
  const [start, setStart] = useState<Start | null>(null)
  const place = useRouteLoaderData<typeof loader>('root')?.me?.id
  const upload = useUpload({
    purpose: 'import',
    // It belongs to no course yet: to its person alone, whoever uses this browser next.
    place,
    importMaxMb,
    onReady: ({ id, filename }) => void begin(id, filename),
  })
  const { state } = upload
  const isUploading = busyStateOf(state) === 'uploading'
  const stopped = useStoppedUpload({ purpose: 'import', courseId: null, place: place ?? null })
  const guard = useLeaveGuard(isUploading || start !== null, start ? notImported : stillUploading)

  async function begin(mediaId: string, filename: string) {
    setStart({ mediaId, filename, problem: null })
    const problem = await import('./course-transfer-calls.ts')
      .then((calls) => calls.startImport(mediaId))
      .catch(() => 'Failed to start the import. Please try again.')
    if (problem !== null) {
      setStart({ mediaId, filename, problem })
      return
    }
    // What comes next is the import under way, in place of this; or it is over already.
    await revalidate()
    forget()
  }

  function forget() {
    setStart(null)
    upload.cancel()
  }

  return (
    <fieldset
      {...focus}
      inert={!hydrated}
      className="grid min-w-0 grid-cols-1 gap-2 rounded-card outline-offset-4"
    >
      <legend className="mb-2 text-sm font-semibold">Course file</legend>
      <output className="sr-only">{uploadAnnouncement(state)}</output>
      {start ? (
        start.problem === null ? (
          <Card padding="sm">
            <Progress label={start.filename} valueText="Starting the import" />
          </Card>
        ) : (
          <Banner
            tone="danger"
            title={<span className="wrap-anywhere">{start.filename}</span>}
            action={
              <>
                {/* What keeps it from starting may be the file itself, which can be gone. */}
                <Button size="sm" variant="ghost" onClick={forget}>
                  Choose another file
                </Button>
                <Button
                  size="sm"
                  variant="secondary"
                  onClick={() => void begin(start.mediaId, start.filename)}
                >
                  Try again
                </Button>
              </>
            }
          >
            {start.problem}
          </Banner>
        )
      ) : busyStateOf(state) === 'idle' ? (
        <>
          {stopped.upload && (
            <StoppedUploadBanner upload={stopped.upload} onDiscard={() => void stopped.discard()} />
          )}
          <FileZone
            chooseLabel="Choose a course file"
            hint={`ZIP up to ${sizeText(importMaxMb * bytesPerMb).replace('.0 ', ' ')}`}
            accept={acceptedFiles.import}
            onFile={upload.start}
            goesOn={Boolean(stopped.upload)}
            className="min-h-64"
          />
        </>
      ) : (
        <UploadStatus state={state} onRetry={upload.retry} onCancel={upload.cancel} />
      )}
      {guard.dialog}
    </fieldset>
  )
}
