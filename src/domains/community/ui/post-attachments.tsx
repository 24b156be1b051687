import { useState } from 'react'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { laterPart } from '../../../ui/later-part.tsx'
import type { Attachment } from '../schema.ts'
import { AttachmentGrid, type Picture } from './attachment-grid.tsx'

// Most posts have pictures only.
const PostVideo = laterPart(async () => (await import('./post-video.tsx')).PostVideo)
const LinkedVideo = laterPart(async () => (await import('./linked-video.tsx')).LinkedVideo)
const loadLightbox = () => import('./lightbox.tsx')

type PostAttachmentsProps = {
  attachments: Attachment[]
  /** The name of who wrote the post. */
  author: string
}

type Part =
  | { key: string; pictures: Picture[] }
  | { key: string; other: Exclude<Attachment, Picture> }

/** Pictures that follow each other stand together; whatever plays has the whole width. */
function partsOf(attachments: Attachment[]): Part[] {
  const parts: Part[] = []
  for (const one of attachments) {
    const last = parts.at(-1)
    if (one.kind !== 'image') {
      parts.push({ key: one.kind === 'link' ? one.url : one.mediaId, other: one })
    } else if (last && 'pictures' in last) last.pictures.push(one)
    else parts.push({ key: one.mediaId, pictures: [one] })
  }
  return parts
}

/** The images and videos of a post. Nothing is asked of another site before a press. */
export function PostAttachments({ attachments, author }: PostAttachmentsProps) {
  const [shown, setShown] = useState<string | null>(null)
  const pictures = attachments.filter((one) => one.kind === 'image')
  const nameOf = ({ mediaId }: Picture) => {
    const place = pictures.findIndex((one) => one.mediaId === mediaId) + 1
    return `Image ${place} of ${pictures.length} by ${author}`
  }

  return (
    <div className="grid grid-cols-1 gap-2">
      {partsOf(attachments).map((part) =>
        'pictures' in part ? (
          <AttachmentGrid
            key={part.key}
            pictures={part.pictures}
            nameOf={nameOf}
            onOpen={({ mediaId }) => setShown(mediaId)}
          />
        ) : part.other.kind === 'video' ? (
          <PostVideo key={part.key} video={part.other} author={author} />
        ) : (
          <LinkedVideo key={part.key} url={part.other.url} author={author} />
        ),
      )}
      {shown !== null && (
        <LaterDialog load={loadLightbox} onFailed={() => setShown(null)}>
          {({ Lightbox }) => (
            <Lightbox
              pictures={pictures}
              nameOf={nameOf}
              first={Math.max(
                0,
                pictures.findIndex(({ mediaId }) => mediaId === shown),
              )}
              onClose={() => setShown(null)}
            />
          )}
        </LaterDialog>
      )}
    </div>
  )
}
