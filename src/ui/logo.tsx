import { brand } from '../domains/site/brand.ts'
import { cn } from './cn.ts'
import { BOLT, TILE } from './mark.ts'

type LightningMarkProps = {
  /** The bolt alone, in the colour of the text, as decoration. */
  bare?: boolean
  /** Its name, where it stands alone; else it is decoration. */
  title?: string
  className?: string
}

/** The lightning mark, 24 px unless told otherwise by a size class. A brand with a logo has that in its place. */
export function LightningMark({ bare = false, title, className }: LightningMarkProps) {
  if (brand.logo) {
    if (bare) return null
    const look = cn('size-6 shrink-0 object-contain', className)
    return <img src={brand.logo} alt={title ?? ''} className={look} />
  }
  return (
    <svg
      viewBox="0 0 24 24"
      className={cn('size-6 shrink-0', className)}
      {...(title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': true })}
    >
      {!bare && <path d={TILE} className="fill-mark" />}
      <path d={BOLT} className={bare ? 'fill-current' : 'fill-spark'} />
    </svg>
  )
}

/** Mark and name; its size follows the text size. */
export function Logo({ name = brand.name, className }: { name?: string; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex min-w-0 items-center gap-[0.42em] font-display text-xl leading-none font-bold',
        'tracking-[-0.03em] wrap-break-word',
        className,
      )}
    >
      <LightningMark className="size-[1.3em]" />
      {name}
    </span>
  )
}
