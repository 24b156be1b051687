import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import type { StoppedUpload } from './use-stopped-upload.ts'

type StoppedUploadBannerProps = { upload: StoppedUpload; onDiscard: () => void }

/** An upload that this browser did not finish, above the place where it may go on. */
export function StoppedUploadBanner({ upload, onDiscard }: StoppedUploadBannerProps) {
  return (
    <Banner
      action={
        <Button size="sm" variant="ghost" onClick={onDiscard}>
          Discard
        </Button>
      }
    >
      Upload of “<span className="wrap-anywhere">{upload.filename}</span>” stopped at{' '}
      {upload.percent}. Choose the same file again to go on.
    </Banner>
  )
}
