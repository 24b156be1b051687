import type { ReactNode } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

type FailedBannerProps = {
  onRetry: () => void
  className?: string
  /** What could not be loaded, in a sentence. */
  children: ReactNode
}

/** A part of a page could not be loaded; it can be asked for again. */
export function FailedBanner({ onRetry, className, children }: FailedBannerProps) {
  return (
    <Banner
      tone="danger"
      className={className}
      action={
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {children}
    </Banner>
  )
}
