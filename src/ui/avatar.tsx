import { cn } from './cn.ts'

const sizes = {
  xs: { box: 'size-6 text-xs', pixels: 24 },
  sm: { box: 'size-8 text-sm', pixels: 32 },
  md: { box: 'size-10 text-base', pixels: 40 },
  lg: { box: 'size-16 text-2xl', pixels: 64 },
  xl: { box: 'size-24 text-4xl', pixels: 96 },
}

type AvatarProps = {
  name: string
  src?: string | null
  size?: keyof typeof sizes
  /** The name is not written beside it, so the picture has to say it. */
  alone?: boolean
  lazy?: boolean
  className?: string
}

/** A person's picture, or the first letter of the name. */
export function Avatar({ name, src, size = 'md', alone = false, lazy, className }: AvatarProps) {
  const { box, pixels } = sizes[size]
  const look = cn('shrink-0 rounded-full bg-primary-soft', box, className)

  if (src) {
    return (
      <img
        src={pixels <= 48 ? smallOf(src) : src}
        alt={alone ? name : ''}
        width={pixels}
        height={pixels}
        loading={lazy ? 'lazy' : undefined}
        decoding="async"
        className={cn(look, 'object-cover')}
      />
    )
  }
  return (
    <span
      {...(alone ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
      className={cn(look, 'inline-grid place-items-center leading-none font-bold text-primary')}
    >
      {initialOf(name)}
    </span>
  )
}

/** Uploaded avatars are there in 256 and in 96 pixels; the small boxes need no more. */
const smallOf = (src: string) => src.replace(/\/256\.webp$/, '/96.webp')

/** The first letter or sign as a person sees it: also of 'Élodie', '李' or an emoji. */
// Dear to make, and asked for by every face of a page.
const letters = new Intl.Segmenter()

function initialOf(name: string) {
  const [first] = letters.segment(name.trim())
  return (first?.segment ?? '?').toUpperCase()
}
