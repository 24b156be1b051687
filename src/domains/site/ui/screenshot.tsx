import { cn } from '../../../ui/cn.ts'

// Taken from the demo: npm run screens -- --pictures
const files = import.meta.glob<string>('../pictures/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
})

type ScreenshotProps = {
  /** Of the picture, as in scripts/take-pictures.ts. */
  name: string
  alt: string
  /** The width it will have, as in the `sizes` attribute. */
  sizes: string
  /** On the first screen. */
  priority?: boolean
  className?: string
}

/** A picture of the product in the theme of the page, also where no script runs. */
export function Screenshot({ name, alt, sizes, priority, className }: ScreenshotProps) {
  return (
    <div className={cn('overflow-hidden rounded-card border bg-surface shadow-card', className)}>
      {['light', 'dark'].map((theme) => {
        const file = (width: number) => files[`../pictures/${name}-${theme}-${width}.webp`]
        return (
          <img
            key={theme}
            src={file(640)}
            srcSet={`${file(640)} 640w, ${file(1280)} 1280w`}
            sizes={sizes}
            alt={alt}
            width={1280}
            height={800}
            // Also on the first screen: what the other theme hides is then not fetched.
            loading="lazy"
            fetchPriority={priority ? 'high' : undefined}
            decoding="async"
            className={`shot-${theme} h-auto w-full`}
          />
        )
      })}
    </div>
  )
}
