import { useEffect, useId, useRef, useState, type PointerEvent } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { imageMaxPixels, problems } from '../../media/rules.ts'
import {
  type Crop,
  largestZoom,
  moved,
  placedAt,
  placeOf,
  squareOf,
  wholeCrop,
  zoomed,
} from './crop-square.ts'

/** Pixels on a side of what is sent; the server makes its own sizes of it. */
const sentSide = 512

type AvatarCropperProps = {
  file: File
  /** The square, as a file of its own. */
  onCropped: (square: File) => void
  onCancel: () => void
}

/** Lets a person choose the square of a picture: by dragging, or with the sliders. */
export default function AvatarCropper({ file, onCropped, onCancel }: AvatarCropperProps) {
  const { picture, problem } = usePicture(file)
  const [crop, setCrop] = useState(wholeCrop)
  const [failed, setFailed] = useState(false)

  async function keep() {
    if (!picture) return
    const square = await cut(picture, squareOf(sizeOf(picture), crop), file.type)
    if (square) onCropped(new File([square], file.name, { type: square.type }))
    else setFailed(true)
  }

  const words = problem ?? (failed ? problems.imageDamaged : null)
  return (
    <Dialog
      open
      onOpenChange={onCancel}
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
      ) : picture ? (
        <>
          <CropArea picture={picture} crop={crop} onChange={setCrop} />
          <Sliders size={sizeOf(picture)} crop={crop} onChange={setCrop} />
        </>
      ) : (
        <div className="grid aspect-square w-full max-w-72 place-items-center justify-self-center">
          <Spinner />
        </div>
      )}
    </Dialog>
  )
}

const sizeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement) => ({
  width: naturalWidth,
  height: naturalHeight,
})

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
  picture: HTMLImageElement
  crop: Crop
  onChange: (crop: Crop) => void
}

function CropArea({ picture, crop, onChange }: CropAreaProps) {
  const grip = useRef<{ x: number; y: number } | null>(null)
  const size = sizeOf(picture)
  const { left, top, side } = squareOf(size, crop)
  const percent = (length: number) => `${(length / side) * 100}%`

  function take(event: PointerEvent<HTMLDivElement>) {
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, y: event.clientY }
  }

  function drag(event: PointerEvent<HTMLDivElement>) {
    if (!grip.current) return
    const width = event.currentTarget.clientWidth
    const right = (grip.current.x - event.clientX) / width
    const down = (grip.current.y - event.clientY) / width
    grip.current = { x: event.clientX, y: event.clientY }
    onChange(moved(size, crop, right, down))
  }

  return (
    <div
      aria-hidden
      onPointerDown={take}
      onPointerMove={drag}
      onPointerUp={() => (grip.current = null)}
      onPointerCancel={() => (grip.current = null)}
      className="relative aspect-square w-full max-w-72 cursor-move touch-none justify-self-center overflow-hidden rounded-card bg-track select-none"
    >
      <img
        src={picture.src}
        alt=""
        draggable={false}
        className="absolute max-w-none"
        style={{
          width: percent(size.width),
          height: percent(size.height),
          left: percent(-left),
          top: percent(-top),
        }}
      />
      {/* What lies outside of the circle is cut off where avatars are shown. */}
      <span className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_100vmax_var(--color-backdrop)]" />
    </div>
  )
}

type SlidersProps = {
  size: Parameters<typeof placeOf>[0]
  crop: Crop
  onChange: (crop: Crop) => void
}

/** The same as dragging, for the keyboard; a direction without room is closed. */
function Sliders({ size, crop, onChange }: SlidersProps) {
  const { across, down } = placeOf(size, crop)
  return (
    <div className="grid gap-3">
      <Slider
        label="Zoom"
        min={1}
        max={largestZoom}
        value={crop.zoom}
        onChange={(zoom) => onChange(zoomed(size, crop, zoom))}
      />
      <Slider
        label="Left to right"
        value={across}
        onChange={(part) => onChange(placedAt(size, crop, { across: part }))}
      />
      <Slider
        label="Top to bottom"
        value={down}
        onChange={(part) => onChange(placedAt(size, crop, { down: part }))}
      />
    </div>
  )
}

type SliderProps = {
  label: string
  min?: number
  max?: number
  /** Null when there is nothing to slide. */
  value: number | null
  onChange: (value: number) => void
}

function Slider({ label, min = 0, max = 1, value, onChange }: SliderProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-[7rem_1fr] items-center gap-3">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <input
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

type Square = ReturnType<typeof squareOf>

/** The square as JPEG, or as PNG where there may be something to see through. */
function cut(picture: HTMLImageElement, { left, top, side }: Square, type: string) {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.min(sentSide, Math.round(side)))
  canvas.height = canvas.width
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
  return new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, type === 'image/jpeg' ? 'image/jpeg' : 'image/png', 0.92)
  })
}
