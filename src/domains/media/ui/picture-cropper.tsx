import { useEffect, useId, useRef, useState, type PointerEvent, type Ref } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { imageMaxPixels, type PicturePurpose, pictureShapes, problems } from '../rules.ts'
import {
  type Crop,
  type Framed,
  frameOf,
  largestZoom,
  moved,
  placedAt,
  placeOf,
  wholeCrop,
  zoomed,
} from './crop.ts'

/** Pixels across what is sent; the server makes its own sizes of it. */
const sentWidth: Record<PicturePurpose, number> = {
  thumbnail: 1280,
  avatar: 512,
  course_logo: 512,
  course_cover: 1920,
}

type PictureCropperProps = {
  file: File
  /** Gives the frame its shape. */
  purpose: PicturePurpose
  /** What lies in the frame, as a file of its own. */
  onCropped: (part: File) => void
  onCancel: () => void
}

/** Lets a person choose the part of a picture that is shown: by dragging, or with the sliders. */
export default function PictureCropper({
  file,
  purpose,
  onCropped,
  onCancel,
}: PictureCropperProps) {
  const { picture, problem } = usePicture(file)
  const [crop, setCrop] = useState(wholeCrop)
  const [failed, setFailed] = useState(false)
  const framed = picture && framedAs(purpose, picture)

  async function keep() {
    if (!picture || !framed) return
    const part = await cut(picture, frameOf(framed, crop), sentWidth[purpose], file.type)
    if (part) onCropped(new File([part], file.name, { type: part.type }))
    else setFailed(true)
  }

  const words = problem ?? (failed ? problems.imageDamaged : null)
  return (
    <Dialog
      open
      onOpenChange={onCancel}
      size={purpose === 'avatar' ? 'sm' : 'md'}
      title="Crop your picture"
      description="Drag the picture, or use the sliders."
      footer={
        <>
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
          <Button onClick={() => void keep()} disabled={!picture}>
            Save picture
          </Button>
        </>
      }
    >
      {words ? (
        <Banner tone="danger">{words}</Banner>
      ) : framed ? (
        <>
          <CropArea
            source={picture.src}
            framed={framed}
            isRound={purpose === 'avatar'}
            crop={crop}
            onChange={setCrop}
          />
          <Sliders framed={framed} crop={crop} onChange={setCrop} />
        </>
      ) : (
        <div
          className={cn('grid w-full place-items-center justify-self-center', areaWidth(purpose))}
          style={{ aspectRatio: pictureShapes[purpose].ratio }}
        >
          <Spinner />
        </div>
      )}
    </Dialog>
  )
}

const framedAs = (
  purpose: PicturePurpose,
  { naturalWidth, naturalHeight }: HTMLImageElement,
): Framed => ({
  width: naturalWidth,
  height: naturalHeight,
  ratio: pictureShapes[purpose].ratio,
})

const areaWidth = (purpose: PicturePurpose) => (purpose === 'avatar' ? 'max-w-72' : '')

/** The picture once the browser has read it, or why it cannot be used. */
function usePicture(file: File) {
  const [state, setState] = useState<{ picture: HTMLImageElement | null; problem: string | null }>({
    picture: null,
    problem: null,
  })

  useEffect(() => {
    const image = new Image()
    let isGone = false
    image.src = URL.createObjectURL(file)
    image.decode().then(
      () => {
        if (isGone) return
        const tooLarge = image.naturalWidth * image.naturalHeight > imageMaxPixels
        setState(
          tooLarge
            ? { picture: null, problem: problems.imagePixels }
            : { picture: image, problem: null },
        )
      },
      () => isGone || setState({ picture: null, problem: problems.imageDamaged }),
    )
    return () => {
      isGone = true
      URL.revokeObjectURL(image.src)
    }
  }, [file])
  return state
}

type CropAreaProps = {
  source: string
  framed: Framed
  /** What lies outside of the circle is cut off where the picture is shown. */
  isRound: boolean
  crop: Crop
  onChange: (crop: Crop) => void
}

function CropArea({ source, framed, isRound, crop, onChange }: CropAreaProps) {
  const grip = useRef<{ x: number; y: number } | null>(null)
  const frame = frameOf(framed, crop)
  const percent = (length: number, of: number) => `${(length / of) * 100}%`

  function take(event: PointerEvent<HTMLDivElement>) {
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, y: event.clientY }
  }

  function drag(event: PointerEvent<HTMLDivElement>) {
    if (!grip.current) return
    const { clientWidth, clientHeight } = event.currentTarget
    const right = (grip.current.x - event.clientX) / clientWidth
    const down = (grip.current.y - event.clientY) / clientHeight
    grip.current = { x: event.clientX, y: event.clientY }
    onChange(moved(framed, crop, right, down))
  }

  return (
    <div
      aria-hidden
      onPointerDown={take}
      onPointerMove={drag}
      onPointerUp={() => (grip.current = null)}
      onPointerCancel={() => (grip.current = null)}
      className={cn(
        'relative w-full cursor-move touch-none justify-self-center overflow-hidden rounded-card bg-track select-none',
        isRound && 'max-w-72',
      )}
      style={{ aspectRatio: framed.ratio }}
    >
      <img
        src={source}
        alt=""
        draggable={false}
        className="absolute max-w-none"
        style={{
          width: percent(framed.width, frame.width),
          height: percent(framed.height, frame.height),
          left: percent(-frame.left, frame.width),
          top: percent(-frame.top, frame.height),
        }}
      />
      {isRound && (
        <span className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_100vmax_var(--color-backdrop)]" />
      )}
    </div>
  )
}

type SlidersProps = {
  framed: Framed
  crop: Crop
  onChange: (crop: Crop) => void
}

/** The same as dragging, for the keyboard; a direction without room is closed. */
function Sliders({ framed, crop, onChange }: SlidersProps) {
  const { across, down } = placeOf(framed, crop)
  const first = useRef<HTMLInputElement>(null)

  // The dialog opened while there was nothing but its buttons.
  useEffect(() => first.current?.focus(), [])

  return (
    <div className="grid gap-3">
      <Slider
        ref={first}
        label="Zoom"
        min={1}
        max={largestZoom}
        value={crop.zoom}
        onChange={(zoom) => onChange(zoomed(framed, crop, zoom))}
      />
      <Slider
        label="Left to right"
        value={across}
        onChange={(part) => onChange(placedAt(framed, crop, { across: part }))}
      />
      <Slider
        label="Top to bottom"
        value={down}
        onChange={(part) => onChange(placedAt(framed, crop, { down: part }))}
      />
    </div>
  )
}

type SliderProps = {
  ref?: Ref<HTMLInputElement>
  label: string
  min?: number
  max?: number
  /** Null when there is nothing to slide. */
  value: number | null
  onChange: (value: number) => void
}

function Slider({ ref, label, min = 0, max = 1, value, onChange }: SliderProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-[7rem_1fr] items-center gap-3">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <input
        ref={ref}
        id={id}
        type="range"
        min={min}
        max={max}
        step={0.02}
        disabled={value === null}
        value={value ?? (min + max) / 2}
        aria-valuetext={`${Math.round((value ?? 0.5) * 100)}%`}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-6 w-full accent-primary disabled:opacity-40"
      />
    </div>
  )
}

/** The part as JPEG, or as PNG where there may be something to see through. */
function cut(
  picture: HTMLImageElement,
  { left, top, width, height }: ReturnType<typeof frameOf>,
  mostWidth: number,
  type: string,
) {
  const scale = Math.min(1, mostWidth / width)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height)
  return new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type === 'image/jpeg' ? 'image/jpeg' : 'image/png', 0.92)
  })
}
