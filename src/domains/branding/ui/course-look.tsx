import type { CSSProperties, ReactNode } from 'react'
import type { ShownBranding } from '../schema.ts'

/** Everything inside is in the colours of the course; what is around keeps those of the product. */
export function CourseLook({
  branding,
  children,
}: {
  branding: ShownBranding
  children: ReactNode
}) {
  if (!branding?.accent) return children
  return (
    <div className="contents" style={branding.accent as CSSProperties}>
      {children}
    </div>
  )
}

/** Beside the title, which says whose it is. */
export function CourseLogo({ branding, size }: { branding: ShownBranding; size: number }) {
  if (!branding?.logoUrl) return null
  return (
    <img
      src={branding.logoUrl}
      alt=""
      width={size}
      height={size}
      className="shrink-0 rounded-control border bg-surface"
    />
  )
}

type CourseCoverProps = {
  branding: ShownBranding
  /** A strip of it, where people come to work and not to look. */
  low?: boolean
}

/** Across the top of a page of the course. */
export function CourseCover({ branding, low = false }: CourseCoverProps) {
  if (!branding?.cover) return null
  const { small, medium, large } = branding.cover
  return (
    <div className="page-width pt-6">
      <img
        src={medium}
        srcSet={`${small} 640w, ${medium} 1280w, ${large} 1920w`}
        sizes="(min-width: 80rem) 76rem, 94vw"
        alt=""
        width={1920}
        height={640}
        className={
          low
            ? 'block h-24 w-full rounded-card bg-line object-cover sm:h-36'
            : 'block h-auto w-full rounded-card bg-line'
        }
      />
    </div>
  )
}
