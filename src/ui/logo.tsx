import { cn } from './cn.ts'

// A tile that lightning has struck: two halves, pushed apart along the bolt. 24 x 24.
// favicon.svg holds the same three shapes.
const LEFT_HALF = 'M7 2h4.3L2.3 14.7h6.5L6.3 24H6a6 6 0 0 1-6-6V9a7 7 0 0 1 7-7Z'
const RIGHT_HALF = 'M18.4 0a5.6 5.6 0 0 1 5.6 6v9a7 7 0 0 1-7 7h-4.3l9-12.7h-6.3Z'
export const BOLT = 'M13.6 0h3.7l-3.2 10.3h5.7L10.5 24H7.6l2.5-10.3H4.2Z'

type LightningMarkProps = {
  /** The bolt alone, in the colour of the text. */
  bare?: boolean
  /** Its name, where it stands alone; else it is decoration. */
  title?: string
  className?: string
}

/** The lightning mark, 24 px unless told otherwise by a size class. */
export function LightningMark({ bare = false, title, className }: LightningMarkProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={cn('size-6 shrink-0', className)}
      {...(title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': true })}
    >
      {!bare && <path d={LEFT_HALF + RIGHT_HALF} className="fill-mark" />}
      <path d={BOLT} className={bare ? 'fill-current' : 'fill-spark'} />
    </svg>
  )
}

/** Mark and name; its size follows the text size. */
export function Logo({ name = 'Thunder', className }: { name?: string; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-[0.42em] font-display text-xl leading-none font-bold',
        'tracking-[-0.03em]',
        className,
      )}
    >
      <LightningMark className="size-[1.3em]" />
      {name}
    </span>
  )
}
