import { safe } from '@orpc/client'
import { Film } from 'lucide-react'
import { useRef, useState } from 'react'
import type * as z from 'zod'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { client } from '../../../web/api-client.ts'
import type { lessonVideo } from '../../courses/schema.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { playWarning } from './plays-in-browsers.ts'
import { sizeText } from './upload-words.ts'

/** A lesson's video as the API has it. */
export type Video = z.output<typeof lessonVideo>

type StoredVideoProps = {
  video: Video
  processesVideos: boolean
  onChange: (video: Video) => void
  onRemove: () => void
}

/** What was uploaded: to look at, how far its processing is, and to take away. */
export function StoredVideo({ video, processesVideos, onChange, onRemove }: StoredVideoProps) {
  const [preview, setPreview] = useState<'shown' | 'not fetched' | 'unplayable'>('shown')
  const { url, processing } = video
  /** Where the preview was when it broke off. */
  const leftAt = useRef(0)
  const poster = processing?.status === 'done' ? url?.replace(/original$/, 'poster.jpg') : undefined
  const warning =
    preview === 'unplayable' ? cannotPlay(processing) : playWarning(video.filename, processesVideos)

  /** An address is good for some hours only, and an editor may be open for longer. */
  async function askAgain({ currentTime, error: broken }: HTMLVideoElement) {
    leftAt.current = currentTime
    const [error, answer] = await safe(client.media.getMedia({ mediaId: video.id }))
    if (error) return setPreview('not fetched')
    if (answer.url !== null && answer.url !== url) {
      const { thumbnail: _, ...renewed } = answer
      return onChange(renewed)
    }
    const isFetched = broken?.code !== MediaError.MEDIA_ERR_NETWORK && (await isThere(answer.url))
    setPreview(isFetched ? 'unplayable' : 'not fetched')
  }

  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-4 shadow-card sm:grid-cols-[14rem_1fr]">
      {url !== null && preview === 'shown' ? (
        // A preview for its creator; captions come with the lesson's player.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          controls
          preload="metadata"
          playsInline
          src={url}
          poster={poster}
          aria-label={`Preview of ${video.filename}`}
          onError={({ currentTarget }) => void askAgain(currentTarget)}
          onLoadedMetadata={({ currentTarget }) => {
            if (leftAt.current > 0) currentTarget.currentTime = leftAt.current
            leftAt.current = 0
          }}
          className="aspect-video w-full rounded-control bg-track object-contain"
        />
      ) : (
        <div className="grid aspect-video w-full place-items-center rounded-control bg-wash text-muted">
          <Film size={28} aria-hidden />
        </div>
      )}
      <div className="flex min-w-0 flex-wrap content-center items-center justify-between gap-3">
        <div className="grid min-w-0 flex-1 basis-48 gap-1">
          <p className="font-medium wrap-anywhere">{video.filename}</p>
          <p className="text-sm text-muted tabular-nums">{sizeText(video.sizeBytes)}</p>
          {video.status === 'failed' && <p className="text-sm text-danger">{video.problem}</p>}
          {video.status === 'uploading' && (
            <p className="text-sm text-warning">This upload is not finished.</p>
          )}
          <ProcessingState video={video} onChange={onChange} />
          {preview === 'not fetched' && (
            <div className="grid justify-items-start gap-2">
              <p role="alert" className="text-sm text-danger">
                The preview could not be loaded.
              </p>
              <Button size="sm" variant="secondary" onClick={() => setPreview('shown')}>
                Load the preview again
              </Button>
            </div>
          )}
          {video.status === 'ready' && warning && <p className="text-sm text-warning">{warning}</p>}
        </div>
        <Button size="sm" variant="secondary" onClick={onRemove}>
          Remove video
        </Button>
      </div>
    </div>
  )
}

/** A browser tells what it could not fetch like what it cannot play. */
async function isThere(url: string | null): Promise<boolean> {
  if (url === null) return false
  return fetch(url, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function cannotPlay(processing: Video['processing']): string {
  switch (processing?.status) {
    case 'queued':
    case 'running':
      return 'This browser cannot play the file as it was uploaded. It plays once it is processed.'
    case 'done':
      return 'This browser cannot play the file as it was uploaded. Learners see the processed video.'
    default:
      return 'This browser cannot play this file, so some learners may not see it. MP4 with H.264 plays everywhere.'
  }
}

/** Learners see the upload as it is meanwhile, so nothing here is urgent. */
function ProcessingState({ video, onChange }: Pick<StoredVideoProps, 'video' | 'onChange'>) {
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { processing } = video

  async function tryAgain() {
    setAsking(true)
    setProblem(null)
    const [error] = await safe(client.media.processVideo({ mediaId: video.id }))
    setAsking(false)
    if (error) setProblem(callProblem(error, 'This could not be started. Please try again.'))
    else onChange({ ...video, processing: { status: 'queued', percent: 0, problem: null } })
  }

  if (processing?.status === 'queued') return <Badge className="mt-1">Queued for processing</Badge>
  if (processing?.status === 'running') {
    return (
      <Progress
        size="sm"
        label={`Processing ${processing.percent}%`}
        valueText=""
        percent={processing.percent}
        className="mt-1"
      />
    )
  }
  if (processing?.status !== 'failed') return null
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-sm text-danger">{processing.problem ?? 'Processing failed.'}</p>
      <Button size="sm" variant="secondary" busy={isAsking} onClick={tryAgain}>
        Try again
      </Button>
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
