import { ChevronLeft, ChevronRight, Film, ImageOff, Link2, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { percentText, Progress } from '../../../ui/progress.tsx'
import { uploadAnnouncement } from '../../media/ui/upload-state-words.ts'
import type { UploadState } from '../../media/ui/upload-state.ts'
import { useQueuedUpload } from '../../media/ui/use-queued-upload.ts'
import type { AttachmentItem, AttachmentsState } from './use-attachments.ts'

type AttachmentTileProps = {
  item: AttachmentItem
  /** From 1 on. */
  place: number
  count: number
  state: AttachmentsState
  /** Says where it went to who does not see it. */
  onMoved: (words: string) => void
}

/** One attachment of a post that is being written: how it looks, how far it is, where it stands. */
export function AttachmentTile({ item, place, count, state, onMoved }: AttachmentTileProps) {
  const { key, filename } = item
  const tile = useRef<HTMLLIElement>(null)
  const upload = useQueuedUpload(state.uploads, key)
  const name = `${place}, ${filename}`

  /** The keyboard stays on the button, or on its counterpart where the way ends. */
  function move(by: -1 | 1) {
    flushSync(() => state.move(key, by))
    onMoved(`${filename} is now ${place + by} of ${count}.`)
    const buttons = tile.current?.querySelectorAll<HTMLButtonElement>('[data-move]:not(:disabled)')
    const wanted = [...(buttons ?? [])].find(({ dataset }) => dataset.move === String(by))
    ;(wanted ?? buttons?.[0])?.focus()
  }

  return (
    <li
      ref={tile}
      className={cn(
        'grid min-w-0 content-start gap-2 rounded-control border bg-paper p-2',
        upload.phase === 'failed' && 'border-danger',
      )}
    >
      {/* What comes and goes lies over the picture: an upload that ends moves no button from under the pointer. */}
      <div className="grid *:[grid-area:1/1]">
        <Preview item={item} />
        <UploadProgress upload={upload} />
      </div>
      <p className="truncate text-sm font-medium" title={filename}>
        {filename}
      </p>
      <output className="sr-only">{uploadAnnouncement(upload)}</output>
      <div className="flex items-center justify-between">
        <div className="flex">
          <button
            type="button"
            data-move="-1"
            aria-label={`Move earlier: ${name}`}
            disabled={place === 1}
            onClick={() => move(-1)}
            className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
          >
            <ChevronLeft size={18} aria-hidden />
          </button>
          <button
            type="button"
            data-move="1"
            aria-label={`Move later: ${name}`}
            disabled={place === count}
            onClick={() => move(1)}
            className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
          >
            <ChevronRight size={18} aria-hidden />
          </button>
        </div>
        <button
          type="button"
          aria-label={`Remove: ${name}`}
          onClick={() => state.remove(key)}
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <X size={18} aria-hidden />
        </button>
      </div>
      <UploadFailure upload={upload} onRetry={() => state.uploads.retry(key)} />
    </li>
  )
}

function Preview({ item }: { item: AttachmentItem }) {
  const [isBroken, setBroken] = useState(false)
  const frame = 'aspect-4/3 w-full rounded-sm bg-wash'
  const url = item.kind === 'link' ? null : item.previewUrl
  if (url && !isBroken) {
    return (
      <img src={url} alt="" onError={() => setBroken(true)} className={cn(frame, 'object-cover')} />
    )
  }
  const Icon = item.kind === 'link' ? Link2 : item.kind === 'video' ? Film : ImageOff
  return (
    <div className={cn(frame, 'grid place-items-center text-muted')}>
      <Icon size={26} aria-hidden />
    </div>
  )
}

function UploadProgress({ upload }: { upload: UploadState }) {
  if (upload.phase === 'idle' || upload.phase === 'ready' || upload.phase === 'failed') return null
  return (
    <div className="grid gap-1 self-end rounded-sm bg-paper p-1.5">
      <Progress
        hideLabel
        size="sm"
        label={`Upload of ${upload.filename}`}
        percent={'percent' in upload ? upload.percent : upload.phase === 'waiting' ? 0 : undefined}
        valueText={upload.phase === 'checking' ? 'Checking' : undefined}
      />
      <p className="text-sm text-muted tabular-nums">{uploadWords(upload)}</p>
    </div>
  )
}

function UploadFailure({ upload, onRetry }: { upload: UploadState; onRetry: () => void }) {
  if (upload.phase !== 'failed') return null
  return (
    <div role="alert" className="grid justify-items-start gap-2">
      <p className="text-sm text-danger">{upload.message}</p>
      {upload.canRetry && (
        <Button size="sm" variant="secondary" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}

function uploadWords(upload: Exclude<UploadState, { phase: 'idle' | 'ready' | 'failed' }>): string {
  switch (upload.phase) {
    case 'waiting':
      return 'Waiting'
    case 'checking':
      return 'Checking…'
    case 'interrupted':
      return upload.isOffline
        ? 'You are offline. It goes on by itself.'
        : 'The connection was interrupted. Trying again…'
    default:
      return percentText(upload.percent)
  }
}
