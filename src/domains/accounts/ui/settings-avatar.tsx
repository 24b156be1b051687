import { useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { acceptedFiles, fileProblem, imageMaxMb } from '../../media/rules.ts'
import { FileZone } from '../../media/ui/file-zone.tsx'
import { useKeepFocus } from '../../media/ui/keep-focus.ts'
import { uploadAnnouncement } from '../../media/ui/upload-state-words.ts'
import { UploadStatus } from '../../media/ui/upload-status.tsx'
import { busyStateOf } from '../../media/ui/upload-state.ts'
import { useUpload } from '../../media/ui/use-upload.ts'

const loadCropper = () => import('../../media/ui/picture-cropper.tsx')
const loadCalls = () => import('./settings-avatar-calls.ts')

type AvatarSettingProps = {
  name: string
  avatarUrl: string | null
  /** The server has another picture now, or none. */
  onChange: () => void
}

/** Choose, crop, upload and remove one's picture. Each applies at once. */
export function AvatarSetting({ name, avatarUrl, onChange }: AvatarSettingProps) {
  const hydrated = useHydrated()
  const focus = useKeepFocus<HTMLFieldSetElement>()
  const [chosen, setChosen] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [asksToRemove, setAsksToRemove] = useState(false)
  const [isRemoving, setIsRemoving] = useState(false)
  const upload = useUpload({ purpose: 'avatar', onReady: ({ id }) => void use(id) })
  const isUploading = busyStateOf(upload.state) !== 'idle'

  function choose(file: File) {
    const found = fileProblem('avatar', file, 0)
    setProblem(found?.message ?? null)
    if (!found) setChosen(file)
  }

  async function use(mediaId: string) {
    const failure = await loadCalls().then(
      ({ setAvatar }) => setAvatar(mediaId),
      () => cannotLoad,
    )
    setProblem(failure)
    if (failure) return
    onChange()
    void toast.success('Your picture is saved')
  }

  async function remove() {
    setIsRemoving(true)
    const failure = await loadCalls().then(
      ({ removeAvatar }) => removeAvatar(),
      () => cannotLoad,
    )
    setIsRemoving(false)
    setAsksToRemove(false)
    setProblem(failure)
    if (failure) return
    onChange()
    void toast.success('Your picture is removed')
  }

  return (
    <Card>
      <CardHeader title="Picture" description="Shown beside your name." />
      <output className="sr-only">{uploadAnnouncement(upload.state)}</output>
      <fieldset
        {...focus}
        inert={!hydrated}
        className="grid min-w-0 grid-cols-1 items-center gap-5 rounded-card outline-offset-4 sm:grid-cols-[auto_minmax(0,1fr)]"
      >
        <legend className="sr-only">Picture</legend>
        <div className="grid justify-items-start gap-3 sm:justify-items-center">
          <Avatar name={name} src={avatarUrl} size="xl" />
          {avatarUrl && (
            <Button size="sm" variant="ghost" onClick={() => setAsksToRemove(true)}>
              Remove picture
            </Button>
          )}
        </div>
        {isUploading ? (
          <UploadStatus state={upload.state} onRetry={upload.retry} onCancel={upload.cancel} />
        ) : (
          <FileZone
            chooseLabel={avatarUrl ? 'Choose another picture' : 'Choose a picture'}
            hint={`JPG, PNG up to ${imageMaxMb.avatar}MB`}
            accept={acceptedFiles.avatar}
            onFile={choose}
          />
        )}
      </fieldset>
      <noscript>
        <p className="mt-4 text-muted">Changing the picture needs JavaScript.</p>
      </noscript>
      {problem && (
        <Banner tone="danger" className="mt-5">
          {problem}
        </Banner>
      )}
      {chosen && (
        <LaterDialog load={loadCropper} onFailed={() => setChosen(null)}>
          {({ default: PictureCropper }) => (
            <PictureCropper
              file={chosen}
              purpose="avatar"
              onCancel={() => setChosen(null)}
              onCropped={(square) => {
                setChosen(null)
                upload.start(square)
              }}
            />
          )}
        </LaterDialog>
      )}
      <ConfirmDialog
        open={asksToRemove}
        onOpenChange={setAsksToRemove}
        title="Remove your picture?"
        description="The first letter of your name takes its place."
        confirmLabel="Remove picture"
        busy={isRemoving}
        busyLabel="Removing..."
        onConfirm={() => void remove()}
      />
    </Card>
  )
}
