import { useEffect, useState } from 'react'
import { cn } from '../../../ui/cn.ts'

/** Milliseconds at one place. */
const stay = 30_000

/** Each on another part of the picture, above the controls. */
const places = [
  'top-[7%] left-[5%]',
  'top-[44%] right-[6%]',
  'top-[22%] left-[38%]',
  'bottom-[26%] left-[8%]',
  'top-[9%] right-[5%]',
  'bottom-[32%] right-[22%]',
  'top-[52%] left-[24%]',
]

const anotherThan = (place: number) =>
  (place + 1 + Math.floor(Math.random() * (places.length - 1))) % places.length

/**
 * Whose eyes these pictures are for, faintly over them. It jumps and does not glide, for everybody: a movement would draw the eye.
 * It is inside of what goes full screen.
 */
export function PlayerWatermark({ text }: { text: string }) {
  const [place, setPlace] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setPlace(anotherThan), stay)
    return () => clearInterval(timer)
  }, [])
  return (
    <span
      aria-hidden
      data-watermark
      className={cn(
        'pointer-events-none absolute max-w-[60%] wrap-anywhere text-[clamp(0.75rem,2.2cqw,1.5rem)] select-none',
        'font-semibold text-[white]/45 [text-shadow:0_0_3px_rgb(0_0_0/0.6)]',
        places[place],
      )}
    >
      {text}
    </span>
  )
}
