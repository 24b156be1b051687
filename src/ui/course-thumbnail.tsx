import { cn } from './cn.ts'
import { DefaultPicture } from './default-picture.tsx'

type CourseThumbnailProps = {
  src?: string | null
  /** Other widths of the same picture, in the form of the `srcset` attribute. */
  srcSet?: string
  sizes?: string
  category: string
  /** What stays the same for one course and differs between courses: its id. */
  seed?: string
  /** Empty where the title stands beside it. */
  alt?: string
  /** Below the fold. */
  lazy?: boolean
  /** The largest picture of the first screen. */
  priority?: boolean
  className?: string
}

/** A course's picture, 16:9, or one drawn for its category. Never moves the page. */
export function CourseThumbnail({
  src,
  srcSet,
  sizes,
  category,
  seed = '',
  alt = '',
  lazy,
  priority,
  className,
}: CourseThumbnailProps) {
  const look = cn('block aspect-video w-full bg-line object-cover', className)

  if (!src) return <DefaultPicture category={category} seed={seed} alt={alt} className={look} />
  return (
    <img
      src={src}
      srcSet={srcSet}
      sizes={sizes}
      alt={alt}
      width={640}
      height={360}
      loading={lazy ? 'lazy' : undefined}
      fetchPriority={priority ? 'high' : undefined}
      decoding="async"
      className={look}
    />
  )
}
