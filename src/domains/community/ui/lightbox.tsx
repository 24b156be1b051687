import { ChevronLeft, ChevronRight, Download, ExternalLink, ImageOff, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type TouchEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { type Picture, srcSetOf } from './attachment-grid.tsx'

type LightboxProps = {
  pictures: Picture[]
  nameOf: (picture: Picture) => string
  /** Which of them is shown at first, from 0 on. */
  first: number
  onClose: () => void
}

/** Pixels that a finger moves for the next picture. */
const swipe = 48

const iconButton = cn(buttonClass({ variant: 'ghost', size: 'icon' }), 'text-ink hover:bg-wash')

/** The pictures of a post, one at a time and as large as the window. */
export function Lightbox({ pictures, nameOf, first, onClose }: LightboxProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef<HTMLButtonElement>(null)
  const [index, setIndex] = useState(first)
  const finger = useRef<{ x: number; y: number } | null>(null)
  const count = pictures.length
  // A post that is changed by its author may have fewer now.
  const at = Math.min(index, count - 1)
  const picture = pictures[at]

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    close.current?.focus()
    return () => element?.close()
  }, [])

  const next = pictures[(at + 1) % count]
  useEffect(() => {
    if (!next) return
    const ahead = new Image()
    ahead.sizes = '100vw'
    ahead.srcset = srcSetOf(next)
  }, [next])

  if (!picture) return null
  const go = (by: number) => setIndex((at + by + count) % count)

  function press(event: KeyboardEvent) {
    const steps: Record<string, () => void> = {
      ArrowRight: () => go(1),
      ArrowLeft: () => go(-1),
      Home: () => setIndex(0),
      End: () => setIndex(count - 1),
    }
    const step = steps[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    step()
  }

  function lift(event: TouchEvent) {
    const touch = event.changedTouches[0]
    const start = finger.current
    finger.current = null
    if (!start || !touch || count < 2) return
    const [x, y] = [touch.clientX - start.x, touch.clientY - start.y]
    if (Math.abs(x) > swipe && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1)
  }

  const original = picture.versions.at(-1)?.url
  return (
    <dialog
      ref={dialog}
      aria-label={nameOf(picture)}
      onKeyDown={press}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A second Escape closes without asking; then the state has to follow.
      onClose={() => dialog.current?.open || onClose()}
      className={cn(
        'scheme-dark m-0 h-dvh max-h-none w-dvw max-w-none animate-appear border-0 bg-paper p-0 text-ink',
        'overflow-hidden overscroll-contain backdrop:bg-backdrop',
      )}
    >
      <div className="grid size-full grid-rows-[auto_minmax(0,1fr)]">
        <div className="flex items-center justify-between gap-2 p-2">
          <p aria-live="polite" className="pl-2 font-semibold tabular-nums">
            <span aria-hidden>
              {at + 1} / {count}
            </span>
            <span className="sr-only">{nameOf(picture)}</span>
          </p>
          <div className="flex items-center">
            <a href={original} target="_blank" rel="noreferrer" className={iconButton}>
              <ExternalLink size={20} aria-hidden />
              <span className="sr-only">Open in full size (opens in a new tab)</span>
            </a>
            <a href={original} download={`image-${at + 1}.webp`} className={iconButton}>
              <Download size={20} aria-hidden />
              <span className="sr-only">Download</span>
            </a>
            <button
              type="button"
              aria-label="Close"
              ref={close}
              onClick={onClose}
              className={iconButton}
            >
              <X size={22} aria-hidden />
            </button>
          </div>
        </div>
        <div
          className="relative min-h-0 touch-pan-y touch-pinch-zoom"
          onTouchStart={(event) => {
            const touch = event.touches[0]
            // Two fingers make it larger.
            const isOne = event.touches.length === 1 && touch !== undefined
            finger.current = isOne ? { x: touch.clientX, y: touch.clientY } : null
          }}
          onTouchEnd={lift}
          onTouchCancel={() => {
            finger.current = null
          }}
        >
          <Shown key={picture.mediaId} picture={picture} name={nameOf(picture)} />
          {count > 1 && (
            <>
              <button
                type="button"
                aria-label="Previous image"
                onClick={() => go(-1)}
                className={cn(iconButton, side, 'left-2')}
              >
                <ChevronLeft size={26} aria-hidden />
              </button>
              <button
                type="button"
                aria-label="Next image"
                onClick={() => go(1)}
                className={cn(iconButton, side, 'right-2')}
              >
                <ChevronRight size={26} aria-hidden />
              </button>
            </>
          )}
        </div>
      </div>
    </dialog>
  )
}

const side = 'absolute top-1/2 -translate-y-1/2 bg-raised/80 active:-translate-y-1/2'

function Shown({ picture, name }: { picture: Picture; name: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) {
    return (
      <p
        role="alert"
        className="absolute inset-0 grid place-content-center justify-items-center gap-3 p-6 text-center text-muted"
      >
        <ImageOff size={32} aria-hidden />
        This image could not be loaded. It may have been removed.
      </p>
    )
  }
  return (
    <img
      src={picture.versions.at(-1)?.url}
      srcSet={srcSetOf(picture)}
      sizes="100vw"
      width={picture.width}
      height={picture.height}
      alt={name}
      draggable={false}
      onError={() => setBroken(true)}
      className="absolute inset-0 size-full object-contain"
    />
  )
}
