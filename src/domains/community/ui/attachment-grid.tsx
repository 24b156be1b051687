import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import type { Attachment } from '../schema.ts'

export type Picture = Extract<Attachment, { kind: 'image' }>

/** More would push what comes after them out of sight; the rest are in the lightbox. */
const atOnce = 6

export const srcSetOf = ({ versions }: Picture) =>
  versions.map(({ url, width }) => `${url} ${width}w`).join(', ')

type AttachmentGridProps = {
  pictures: Picture[]
  nameOf: (picture: Picture) => string
  onOpen: (picture: Picture) => void
}

/** Two columns; one picture alone, and the last of an odd number, have both. */
export function AttachmentGrid({ pictures, nameOf, onOpen }: AttachmentGridProps) {
  const shown = pictures.slice(0, atOnce)
  const hidden = pictures.length - shown.length
  return (
    <ul className="grid grid-cols-2 gap-2">
      {shown.map((picture, index) => {
        const isLast = index === shown.length - 1
        const isWide = isLast && shown.length % 2 === 1
        return (
          <li key={picture.mediaId} className={cn('min-w-0', isWide && 'col-span-2')}>
            <PictureButton
              picture={picture}
              name={nameOf(picture)}
              ratio={shown.length === 1 ? aloneRatio(picture) : isWide ? 2 : 1}
              isWide={isWide}
              more={isLast ? hidden : 0}
              onOpen={() => onOpen(picture)}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** As it is, unless it would be a tower or a thread. */
const aloneRatio = ({ width, height }: Picture) => Math.min(3, Math.max(4 / 5, width / height))

type PictureButtonProps = {
  picture: Picture
  name: string
  ratio: number
  isWide: boolean
  /** Pictures that are not shown here. */
  more: number
  onOpen: () => void
}

function PictureButton({ picture, name, ratio, isWide, more, onOpen }: PictureButtonProps) {
  const [isBroken, setBroken] = useState(false)
  const { versions, width, height } = picture
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="group relative block w-full cursor-zoom-in overflow-hidden rounded-control border bg-wash"
      style={{ aspectRatio: ratio }}
    >
      {isBroken ? (
        <span className="absolute inset-0 grid place-content-center justify-items-center gap-2 p-2 text-sm text-muted">
          <ImageOff size={24} aria-hidden />
          This image could not be loaded
          <span className="sr-only">: {name}</span>
        </span>
      ) : (
        <img
          src={versions[0]?.url}
          srcSet={srcSetOf(picture)}
          sizes={isWide ? '(min-width: 48rem) 42rem, 94vw' : '(min-width: 48rem) 21rem, 47vw'}
          width={width}
          height={height}
          alt={name}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
      {more > 0 && (
        <span className="scheme-dark absolute inset-0 grid place-items-center bg-backdrop font-display text-3xl font-bold text-ink">
          <span>
            +{more}
            <span className="sr-only"> more images</span>
          </span>
        </span>
      )}
    </button>
  )
}
